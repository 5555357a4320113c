package config

import "errors"

// Wallets says how wallets are asked for credentials.
type Wallets struct {
	WalletCertificate string `help:"Certificates (PEM, yours first) that sign requests to wallets. --dev makes one that no wallet trusts." placeholder:"FILE"`
	WalletKey         string `help:"Private key (PEM, P-256) of --wallet-certificate." placeholder:"FILE"`
	WalletHAIP        bool   `name:"wallet-haip" help:"Ask wallets by the profile HAIP 1.0: known by your certificate, signed, encrypted."`
	WalletPlain       bool   `help:"Wallets answer links and codes without encryption beyond https (direct_post)."`
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
