package watchlist

// Origin says where a list of a format comes from and on which terms.
type Origin struct {
	Name    string `json:"name"`
	Source  string `json:"source"`
	Licence string `json:"licence"`
}

// OriginOf returns where lists of a format come from. Lists are not part of this program: whoever adds one answers for its terms.
func OriginOf(f Format) Origin {
	ofac := Origin{
		"OFAC (United States)", "https://sanctionslistservice.ofac.treas.gov", "work of the United States government, public domain there",
	}
	sanctions := Origin{
		"OpenSanctions", "https://www.opensanctions.org/datasets/", "CC BY-NC 4.0: free for non-commercial use, businesses need a licence",
	}
	own := Origin{"own list", "by hand", "the operator's own"}
	return map[Format]Origin{
		OFACXML: ofac, OFACAdvanced: ofac, OFACCSV: ofac, FtM: sanctions, FtMDelta: sanctions, OwnCSV: own, OwnJSON: own,
		UN:   {"United Nations", "https://scsanctions.un.org/consolidated/", "terms of the United Nations' website"},
		EU:   {"European Union", "https://webgate.ec.europa.eu/fsd/fsf", "reuse with attribution, Decision 2011/833/EU"},
		UK:   {"United Kingdom", "https://www.gov.uk/government/publications/the-uk-sanctions-list", "Open Government Licence v3.0"},
		SECO: {"Switzerland (SECO)", "https://www.seco.admin.ch", "official publication"},
	}[f]
}
