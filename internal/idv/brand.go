package idv

// Brand is how the applicant's pages look under a workflow version. What is empty is as the deployment says.
type Brand struct {
	Name      string      `json:"name"`      // who asks
	Colour    string      `json:"colour"`    // #rrggbb; the pages adapt it until it can be read
	Logo      string      `json:"logo"`      // SHA-256 of a logo that is kept, in hexadecimal
	Support   string      `json:"support"`   // https or mailto
	Privacy   string      `json:"privacy"`   // https
	Languages []string    `json:"languages"` // in which the pages are offered; empty for all
	Hello     []BrandText `json:"hello"`     // the sentence below the first heading
}

// BrandText is a sentence in one language.
type BrandText struct {
	Language string `json:"language"`
	Text     string `json:"text"` // plain
}
