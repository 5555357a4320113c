package config

import "errors"

// Wallets says how wallets are asked for credentials.
type Wallets struct {
	WalletCertificate string `help:"Certificates (PEM, yours first) that requests to wallets are signed with. With --dev one is made, which no wallet trusts." placeholder:"FILE"`
	WalletKey         string `help:"Private key (PEM, P-256) of --wallet-certificate." placeholder:"FILE"`
	WalletHAIP        bool   `name:"wallet-haip" help:"Ask wallets by the High Assurance Interoperability Profile: known by your certificate, always signed and encrypted."`
	WalletPlain       bool   `help:"Let wallets answer links and codes without encryption beyond https (direct_post), for wallets that cannot encrypt."`
}

// Complete refuses what cannot work.
func (w Wallets) Complete() error {
	if (w.WalletCertificate == "") != (w.WalletKey == "") {
		return errors.New("--wallet-certificate and --wallet-key go together")
	}
	if w.WalletHAIP && w.WalletPlain {
		return errors.New("--wallet-haip asks for encrypted answers; leave --wallet-plain out")
	}
	return nil
}
