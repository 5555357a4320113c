package idv

// Brand is the look of the applicant's pages under a workflow version. Empty fields use the deployment's brand.
type Brand struct {
	Name      string      `json:"name"`      // who asks
	Colour    string      `json:"colour"`    // #rrggbb; the pages adapt it until it can be read
	Logo      string      `json:"logo"`      // SHA-256 of a stored logo, in hexadecimal
	Support   string      `json:"support"`   // https or mailto
	Privacy   string      `json:"privacy"`   // https
	Languages []string    `json:"languages"` // languages in which the pages are offered; empty for all
	Hello     []BrandText `json:"hello"`     // the sentence below the first heading
}

// BrandText is a sentence in one language.
type BrandText struct {
	Language string `json:"language"`
	Text     string `json:"text"` // plain
}
