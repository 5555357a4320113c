package problem

// wallets are the refusals of what wallets send: tokens, credentials, mobile documents, status lists. As with chips, the packages that
// refuse declare the codes.
var wallets = registerAll([]credential{
	{"jose.malformed", Refer, "A token does not follow its format.", "Ask for the credential again; if it happens again, report it to the wallet's provider."},
	{"jose.too_large", Refer, "A token is too long or too deeply nested.", "Ask for fewer claims, or use other evidence to decide."},
	{"jose.name_repeated", Suspect, "A token says something twice.", "Do not rely on the credential."},
	{"jose.algorithm", Suspect, "A token is signed with an algorithm that is not accepted, or not at all.",
		"Do not rely on the credential, and report this to the wallet's provider or the issuer."},
	{"jose.key_mismatch", Suspect, "A token is signed with an algorithm of another kind of key.", "Do not rely on the credential."},
	{"jose.critical", Refer, "A token has a critical part that is not supported.", "Use other evidence to decide, and report this to the issuer."},
	{"jose.key_unsupported", Refer, "This kind of key is not supported.", "Use other evidence to decide, and report this to the wallet's provider."},
	{"jose.signature", Suspect, "The key did not sign the token.", "Do not rely on the credential."},
	{"jose.no_certificate", Refer, "The signer's certificate is not in the token.", "Report this to the issuer: credentials have to include it (x5c)."},

	{"cose.malformed", Refer, "A message does not follow its format.", "Ask for the credential again; if it happens again, report it to the wallet's provider."},
	{"cose.key_repeated", Suspect, "A message says something twice.", "Do not rely on the credential."},
	{"cose.algorithm", Suspect, "A message does not name its algorithm, or names one that is not accepted.",
		"Do not rely on the credential, and report this to the wallet's provider or the issuer."},
	{"cose.key_mismatch", Suspect, "A message is signed with an algorithm of another kind of key.", "Do not rely on the credential."},
	{"cose.critical", Refer, "A message has a critical part that is not supported.", "Use other evidence to decide, and report this to the issuer."},
	{"cose.key_unsupported", Refer, "This kind of key is not supported.", "Use other evidence to decide, and report this to the wallet's provider."},
	{"cose.signature", Suspect, "The key did not sign the message.", "Do not rely on the credential."},
	{"cose.no_certificate", Refer, "The signer's certificate is not in the message.", "Report this to the issuer: documents have to include it (x5chain)."},
	{"cose.mac", Suspect, "The authentication code is of another key or message.", "Do not rely on the credential."},

	{"status.malformed", Refer, "The status of the credential cannot be read.", "Use other evidence to decide, and report this to the issuer."},
	{"status.too_large", Refer, "The status list is larger than the limit.", "Use other evidence to decide, and report this to the issuer."},
	{"status.type", Refer, "What was given as the status list is something else.", "Fetch the list again from the address in the credential."},
	{"status.other_list", Refer, "The status list is not the one that the credential names.", "Fetch the list from the address in the credential."},
	{"status.other_issuer", Suspect, "The status list is not signed by the credential's issuer.", "Do not rely on the list."},
	{"status.expired", Refer, "The status list is out of date.", "Fetch the list again."},
	{"status.not_yet", Refer, "The status list is dated in the future.", "Check this machine's clock, or fetch the list again."},
	{"status.out_of_range", Suspect, "The status list has no entry for the credential.", "Do not rely on the credential, and report this to the issuer."},
	{"status.revoked", Suspect, "The issuer revoked the credential.", "Do not rely on the credential."},
	{"status.suspended", Refer, "The issuer suspended the credential.", "Ask the person to clear it with the issuer, or use other evidence to decide."},
	{"status.unknown", Refer, "The status of the credential has no known meaning.", "Use other evidence to decide, and ask the issuer what it means."},
	{"status.unchecked", Refer, "The status list of the credential is missing.", "Fetch the list from the address in the credential."},

	{"sdjwt.malformed", Refer, "The credential does not follow its format.",
		"Ask for the credential again; if it happens again, report it to the wallet's provider."},
	{"sdjwt.too_large", Refer, "The credential is larger than the limit.", "Ask for fewer claims, or use other evidence to decide."},
	{"sdjwt.type", Refer, "The token is not an SD-JWT credential.", "Ask for the credential in the format dc+sd-jwt."},
	{"sdjwt.digest", Refer, "The credential hashes its claims with a function that is not accepted.", "Use other evidence to decide, and report this to the " +
		"issuer."},
	{"sdjwt.disclosure", Suspect, "A disclosed claim cannot be read.", "Do not rely on the credential."},
	{"sdjwt.digest_repeated", Suspect, "A claim or its digest occurs twice.", "Do not rely on the credential."},
	{"sdjwt.not_referenced", Suspect, "A claim was added that the issuer did not sign.", "Do not rely on the credential."},
	{"sdjwt.collision", Suspect, "A disclosed claim would replace another one.", "Do not rely on the credential."},
	{"sdjwt.hidden_claim", Suspect, "A claim that has to be open was disclosed on its own.", "Do not rely on the credential."},
	{"sdjwt.issuer_signature", Suspect, "The issuer did not sign the credential.", "Do not rely on the credential."},
	{"sdjwt.signer_usage", Suspect, "The signer may not sign credentials.", "Do not rely on the credential."},
	{"sdjwt.self_signed", Suspect, "The signer's certificate is self-signed.", "Do not rely on the credential."},
	{"sdjwt.issuer_name", Suspect, "The credential names another issuer than its certificate.", "Do not rely on the credential."},
	{"sdjwt.expired", Refer, "The credential is out of date.", "Ask the person to renew it in the wallet."},
	{"sdjwt.not_yet", Refer, "The credential is not valid yet.", "Check this machine's clock; otherwise wait until it is valid."},
	{"sdjwt.type_not_asked", Refer, "The credential is of another type than was asked for.", "Ask again, or accept this type as well."},
	{"sdjwt.binding_missing", Suspect, "Nothing proves that the holder presented the credential.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_type", Suspect, "The proof of the holder is the wrong kind of token.", "Do not rely on the credential."},
	{"sdjwt.binding_signature", Suspect, "Someone other than the holder presented the credential.", "Do not rely on the credential."},
	{"sdjwt.binding_nonce", Suspect, "The credential was presented for another request.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_audience", Suspect, "The credential was presented to somebody else.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_time", Refer, "The credential was presented too long ago, or in the future.", "Ask for the credential again; check this machine's clock."},
	{"sdjwt.binding_hash", Suspect, "The claims are not those that the holder presented.", "Do not rely on the credential."},
	{"sdjwt.binding_unchecked", Refer, "Whether the holder presented the credential was not checked.", "Ask for the credential with a request of your own."},
	{"sdjwt.revocation_unchecked", Refer, "There is no revocation list for the signer's certificate.",
		"Decide whether the credential's status is enough for you."},
	{"sdjwt.issuer_unconfirmed", Refer, "The certificate does not name its issuer.",
		"Nothing, if you trust the authority for this type of credential."},
	{"sdjwt.no_expiry", Refer, "The credential has no expiry date.", "Decide whether to accept credentials without an expiry date."},

	{"mdoc.malformed", Refer, "The mobile document does not follow its format.", "Ask for it again; if it happens again, report it to the wallet's provider."},
	{"mdoc.too_large", Refer, "The mobile document is larger than the limit.", "Ask for fewer elements, or use other evidence to decide."},
	{"mdoc.version", Refer, "The mobile document has an unknown version.", "Use other evidence to decide, and report this to the wallet's provider."},
	{"mdoc.status", Refer, "The wallet says that something went wrong.", "Ask for the document again."},
	{"mdoc.document_count", Suspect, "One document was requested; none or several were sent.", "Ask for the document again; do not rely on this answer."},
	{"mdoc.nothing_disclosed", Refer, "The mobile document discloses nothing.", "Ask for it again; the person may have declined."},
	{"mdoc.type_not_asked", Refer, "The document is of another type than was asked for.", "Ask again, or accept this type as well."},
	{"mdoc.type_differs", Suspect, "The document is of another type than the one that was signed.", "Do not rely on the document."},
	{"mdoc.digest", Refer, "The document hashes its elements with a function that is not accepted.", "Use other evidence to decide, and report this to the " +
		"issuer."},
	{"mdoc.digest_mismatch", Suspect, "An element is not the one that was signed.", "Do not rely on the document."},
	{"mdoc.not_signed", Suspect, "An element was added that the issuer did not sign.", "Do not rely on the document."},
	{"mdoc.element_repeated", Suspect, "An element occurs twice.", "Do not rely on the document."},
	{"mdoc.short_random", Refer, "The digest of an element could be guessed.", "Report this to the issuer."},
	{"mdoc.issuer_signature", Suspect, "The issuer did not sign the document.", "Do not rely on the document."},
	{"mdoc.signer_usage", Suspect, "The signer may not sign mobile documents.", "Do not rely on the document, and report this to the issuer."},
	{"mdoc.signer_profile", Refer, "The signer's certificate does not follow the standard.", "Decide whether you accept such signers."},
	{"mdoc.signer_country", Suspect, "The signer belongs to a different state than the document.", "Do not rely on the document."},
	{"mdoc.signed_outside", Suspect, "The document was signed when its signer was not valid.", "Do not rely on the document."},
	{"mdoc.dates", Suspect, "The dates of the document make no sense.", "Do not rely on the document."},
	{"mdoc.expired", Refer, "The document is out of date.", "Ask the person to renew it in the wallet."},
	{"mdoc.not_yet", Refer, "The document is not valid yet.", "Check this machine's clock; otherwise wait until it is valid."},
	{"mdoc.device_missing", Suspect, "The device did not prove that the document belongs to it.", "Ask for the document again; do not rely on this one."},
	{"mdoc.device_signature", Suspect, "The document was presented by another device or for another request.",
		"Ask for the document again; do not rely on this one."},
	{"mdoc.device_mac", Suspect, "The device's authentication code is wrong, or a signature is needed.",
		"Ask for the document again with a wallet that signs."},
	{"mdoc.not_authorised", Suspect, "The device states something that the issuer did not authorise.", "Do not rely on the document."},
	{"mdoc.device_unchecked", Refer, "Whether the device presented the document was not checked.", "Ask for the document with a request of your own."},
	{"mdoc.revocation_unchecked", Refer, "There is no revocation list for the signer's certificate.",
		"Decide whether the document's status is enough for you."},

	{"openid.query", None, "The query cannot be asked.", "Give format, types and claims as the Digital Credentials Query Language defines them."},
	{"openid.request", None, "No wallet would accept the request.", "Check the certificate, client_id or address that the message names."},
	{"openid.malformed", Refer, "The wallet's answer does not follow the format of its channel.", "Ask again; if it happens again, report it to the wallet's " +
		"provider."},
	{"openid.too_large", Refer, "The wallet's answer is larger than the limit.", "Ask for fewer claims, or use other evidence to decide."},
	{"openid.other_channel", Suspect, "The answer came by another channel than was asked for.", "Do not rely on the answer; ask again."},
	{"openid.expired", Refer, "The request had expired when the wallet answered.", "Ask again."},
	{"openid.state", Suspect, "The answer is to another request.", "Do not rely on the answer; ask again."},
	{"openid.wallet_error", Refer, "The wallet answered with an error: it has nothing suitable, or the person declined.",
		"Offer another way to prove the same."},
	{"openid.not_encrypted", Suspect, "The answer is not encrypted, although encryption was requested.", "Do not rely on the answer, and report this to the " +
		"wallet's provider."},
	{"openid.encryption", Refer, "The answer is encrypted in a way that was not offered.", "Ask again; if it happens again, report it to the wallet's provider."},
	{"openid.other_key", Suspect, "The answer is encrypted to the key of another request.", "Do not rely on the answer; ask again."},
	{"openid.cannot_decrypt", Suspect, "The key of the request does not open the answer.", "Do not rely on the answer; ask again."},
	{"openid.not_asked", Suspect, "There is a credential that was not asked for.", "Do not rely on the answer."},
	{"openid.several", Suspect, "One presentation was requested; none or several were sent.", "Do not rely on the answer."},
	{"openid.unanswered", Refer, "A credential that was asked for is missing.", "Ask again, or use other evidence to decide."},
	{"openid.claim_missing", Refer, "A claim that was asked for was not disclosed.", "Ask again, or use other evidence to decide."},
	{"openid.excessive", None, "The wallet shared more than the age that was asked for.", "Nothing of it was kept. Report this to the wallet's provider."},
	{"openid.value", Refer, "A claim has another value than was asked for.", "Use other evidence to decide."},
})

// Problems of a wallet in a session.
var (
	// WalletMissing: the workflow requires a wallet, and none was presented.
	WalletMissing = register(Kind{
		Code: "wallet.missing", Status: 422, Severity: Refer, Reader: Operator,
		Title: "No credential was presented.", Remedy: "Decide on the document alone, or create a new session with a wallet.",
		Reviewer: "The workflow asks for a credential from a wallet, and none was presented.",
	})
	// WalletHolderUnproved: the holder's key did not sign what was presented.
	WalletHolderUnproved = register(Kind{
		Code: "wallet.holder_unproved", Status: 422, Severity: Refer, Reader: Operator,
		Title: "Nothing proves that the holder presented the credential.", Remedy: "Use other evidence to decide.",
		Reviewer: "The holder's key did not sign what the wallet presented.",
	})
	// WalletRevoked: the issuer revoked or suspended the credential.
	WalletRevoked = register(Kind{
		Code: "wallet.revoked", Status: 422, Severity: Refer, Reader: Operator,
		Title: "The issuer withdrew the credential.", Remedy: "Do not rely on the credential; use other evidence to decide.",
		Reviewer: "The issuer revoked or suspended the credential.",
	})
	// WalletRevocationUnknown: it is not known whether the credential was revoked.
	WalletRevocationUnknown = register(Kind{
		Code: "wallet.revocation_unknown", Status: 422, Severity: Refer, Reader: Operator,
		Title: "It is not known whether the credential was revoked.", Remedy: "Ask the issuer, or use other evidence to decide.",
		Reviewer: "The credential names no status list that could be used.",
	})
	// WalletNotUsable: what a wallet presented is no evidence. The applicant learns no more than that.
	WalletNotUsable = register(Kind{
		Code: "wallet.not_usable", Status: 422, Severity: None, Reader: Applicant,
		Title: "Your wallet's document could not be accepted.", Remedy: "Continue with photos of your document.",
	})
	// WalletDeclined: the wallet shared nothing: the person declined, or it has nothing suitable.
	WalletDeclined = register(Kind{
		Code: "wallet.declined", Status: 422, Reader: Applicant,
		Title: "Your wallet shared nothing.", Remedy: "Try again, choose another wallet, or continue with photos of your document.",
	})
	// WalletFailed: the wallet answered with an error, or with nothing that can be read.
	WalletFailed = register(Kind{
		Code: "wallet.failed", Status: 422, Reader: Applicant,
		Title: "Your wallet could not answer.", Remedy: "Try again, choose another wallet, or continue with photos of your document.",
	})
	// WalletExpired: the request is over, was answered before, or was never made. One row for all of these: a stranger who tries
	// addresses learns nothing.
	WalletExpired = register(Kind{
		Code: "wallet.expired", Status: 410, Reader: Applicant,
		Title: "This request to your wallet has expired.", Remedy: "Go back to the page where you started, and begin again.",
	})
	// WalletCodeRefused: a response code that is used up, unknown or of another browser's session.
	WalletCodeRefused = register(Kind{
		Code: "wallet.code_refused", Status: 409, Reader: Applicant,
		Title: "Your wallet opened this page in another browser.", Remedy: "Go back to the page where you started, and begin again there.",
	})
	// WalletNotAsked: the workflow asks no wallet.
	WalletNotAsked = register(Kind{
		Code: "wallet.not_asked", Status: 409, Reader: Integrator,
		Title: "This session does not use a wallet.", Remedy: "Use a wallet only in sessions whose task says wallet: offered or required.",
	})
	// WalletChannelMissing: the deployment cannot ask wallets this way.
	WalletChannelMissing = register(Kind{
		Code: "wallet.channel_missing", Status: 409, Reader: Integrator,
		Title: "Wallets cannot be asked this way here.", Remedy: "Ask the operator to set --wallet-certificate and --wallet-key.",
	})
)
