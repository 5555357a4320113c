package problem

// wallets are the refusals of what wallets send: tokens, credentials, mobile documents, status lists. As with chips, the packages that
// refuse declare the codes.
var wallets = registerAll([]credential{
	{"jose.malformed", Refer, "A token is not written as its format asks for.", "Ask for the credential again; if it stays so, report it with the wallet."},
	{"jose.too_large", Refer, "A token is longer or nested deeper than is read.", "Ask for fewer claims, or decide by other evidence."},
	{"jose.name_repeated", Suspect, "A token says something twice.", "Do not rely on the credential."},
	{"jose.algorithm", Suspect, "A token is signed with an algorithm that is not accepted, or not at all.",
		"Do not rely on the credential; report it with the wallet or the issuer."},
	{"jose.key_mismatch", Suspect, "A token is signed with an algorithm of another kind of key.", "Do not rely on the credential."},
	{"jose.critical", Refer, "A token has a part that has to be understood and is not.", "Decide by other evidence; report it with the issuer."},
	{"jose.key_unsupported", Refer, "A key is of a kind that is not verified with.", "Decide by other evidence; report it with the wallet."},
	{"jose.signature", Suspect, "The key did not sign the token.", "Do not rely on the credential."},
	{"jose.no_certificate", Refer, "The signer's certificate is not in the token.", "Report it with the issuer: credentials have to bring it along (x5c)."},

	{"cose.malformed", Refer, "A message is not encoded as its format asks for.", "Ask for the credential again; if it stays so, report it with the wallet."},
	{"cose.key_repeated", Suspect, "A message says something twice.", "Do not rely on the credential."},
	{"cose.algorithm", Suspect, "A message does not say how it is signed, or by an algorithm that is not accepted.",
		"Do not rely on the credential; report it with the wallet or the issuer."},
	{"cose.key_mismatch", Suspect, "A message is signed with an algorithm of another kind of key.", "Do not rely on the credential."},
	{"cose.critical", Refer, "A message has a part that has to be understood and is not.", "Decide by other evidence; report it with the issuer."},
	{"cose.key_unsupported", Refer, "A key is of a kind that is not verified with.", "Decide by other evidence; report it with the wallet."},
	{"cose.signature", Suspect, "The key did not sign the message.", "Do not rely on the credential."},
	{"cose.no_certificate", Refer, "The signer's certificate is not in the message.", "Report it with the issuer: documents have to bring it along (x5chain)."},
	{"cose.mac", Suspect, "The authentication code is of another key or message.", "Do not rely on the credential."},

	{"status.malformed", Refer, "The status of the credential cannot be read.", "Decide by other evidence; report it with the issuer."},
	{"status.too_large", Refer, "The status list is larger than is read.", "Decide by other evidence; report it with the issuer."},
	{"status.type", Refer, "What was given as the status list is something else.", "Fetch the list again from the address in the credential."},
	{"status.other_list", Refer, "The status list is not the one that the credential names.", "Fetch the list from the address in the credential."},
	{"status.other_issuer", Suspect, "The status list is not signed by the credential's issuer.", "Do not rely on the list."},
	{"status.expired", Refer, "The status list is out of date.", "Fetch the list again."},
	{"status.not_yet", Refer, "The status list is of the future.", "Check this machine's clock, or fetch the list again."},
	{"status.out_of_range", Suspect, "The status list has no entry for the credential.", "Do not rely on the credential; report it with the issuer."},
	{"status.revoked", Suspect, "The issuer revoked the credential.", "Do not rely on the credential."},
	{"status.suspended", Refer, "The issuer suspended the credential.", "Ask the person to clear it with the issuer, or decide by other evidence."},
	{"status.unknown", Refer, "The status of the credential has no known meaning.", "Decide by other evidence; ask the issuer what it means."},
	{"status.unchecked", Refer, "The status list of the credential is missing.", "Fetch the list from the address in the credential."},

	{"sdjwt.malformed", Refer, "The credential is not written as its format asks for.",
		"Ask for the credential again; if it stays so, report it with the wallet."},
	{"sdjwt.too_large", Refer, "The credential is larger than is read.", "Ask for fewer claims, or decide by other evidence."},
	{"sdjwt.type", Refer, "The token is no credential in SD-JWT.", "Ask for the credential in the format dc+sd-jwt."},
	{"sdjwt.digest", Refer, "The credential hashes its claims with a function that is not accepted.", "Decide by other evidence; report it with the issuer."},
	{"sdjwt.disclosure", Suspect, "A disclosed claim cannot be read.", "Do not rely on the credential."},
	{"sdjwt.digest_repeated", Suspect, "A claim or its digest occurs twice.", "Do not rely on the credential."},
	{"sdjwt.not_referenced", Suspect, "A claim was added that the issuer did not sign.", "Do not rely on the credential."},
	{"sdjwt.collision", Suspect, "A disclosed claim would replace another one.", "Do not rely on the credential."},
	{"sdjwt.hidden_claim", Suspect, "A claim that has to be open was disclosed on its own.", "Do not rely on the credential."},
	{"sdjwt.issuer_signature", Suspect, "The issuer did not sign the credential.", "Do not rely on the credential."},
	{"sdjwt.signer_usage", Suspect, "The signer may not sign credentials.", "Do not rely on the credential."},
	{"sdjwt.self_signed", Suspect, "The signer's certificate is vouched for by itself.", "Do not rely on the credential."},
	{"sdjwt.issuer_name", Suspect, "The credential names another issuer than its certificate.", "Do not rely on the credential."},
	{"sdjwt.expired", Refer, "The credential is out of date.", "Ask the person to renew it in the wallet."},
	{"sdjwt.not_yet", Refer, "The credential is not good yet.", "Check this machine's clock; else wait until it is."},
	{"sdjwt.type_not_asked", Refer, "The credential is of another type than was asked for.", "Ask again, or accept this type as well."},
	{"sdjwt.binding_missing", Suspect, "The holder did not prove to be the holder.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_type", Suspect, "What should prove the holder is a token of another kind.", "Do not rely on the credential."},
	{"sdjwt.binding_signature", Suspect, "Somebody else than the holder presented the credential.", "Do not rely on the credential."},
	{"sdjwt.binding_nonce", Suspect, "The credential was presented for another request.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_audience", Suspect, "The credential was presented to somebody else.", "Ask for the credential again; do not rely on this one."},
	{"sdjwt.binding_time", Refer, "The credential was presented too long ago, or in the future.", "Ask for the credential again; check this machine's clock."},
	{"sdjwt.binding_hash", Suspect, "The claims are not those that the holder presented.", "Do not rely on the credential."},
	{"sdjwt.binding_unchecked", Refer, "Whether the holder presented the credential was not checked.", "Ask for the credential with a request of your own."},
	{"sdjwt.revocation_unchecked", Refer, "There is no revocation list for the signer's certificate.",
		"Decide whether the status of the credential is enough for you."},
	{"sdjwt.issuer_unconfirmed", Refer, "The certificate does not name its issuer.",
		"Nothing, if you trust the authority for this type of credential."},
	{"sdjwt.no_expiry", Refer, "The credential does not say until when it is good.", "Decide whether you accept credentials without an end."},

	{"mdoc.malformed", Refer, "The mobile document is not encoded as its format asks for.", "Ask for it again; if it stays so, report it with the wallet."},
	{"mdoc.too_large", Refer, "The mobile document is larger than is read.", "Ask for fewer elements, or decide by other evidence."},
	{"mdoc.version", Refer, "The mobile document is of an unknown version.", "Decide by other evidence; report it with the wallet."},
	{"mdoc.status", Refer, "The wallet says that something went wrong.", "Ask for the document again."},
	{"mdoc.document_count", Suspect, "There are none or several documents where one was asked for.", "Ask for the document again; do not rely on this answer."},
	{"mdoc.nothing_disclosed", Refer, "The mobile document discloses nothing.", "Ask for it again; the person may have declined."},
	{"mdoc.type_not_asked", Refer, "The document is of another type than was asked for.", "Ask again, or accept this type as well."},
	{"mdoc.type_differs", Suspect, "The document is of another type than the one that was signed.", "Do not rely on the document."},
	{"mdoc.digest", Refer, "The document hashes its elements with a function that is not accepted.", "Decide by other evidence; report it with the issuer."},
	{"mdoc.digest_mismatch", Suspect, "An element is not the one that was signed.", "Do not rely on the document."},
	{"mdoc.not_signed", Suspect, "An element was added that the issuer did not sign.", "Do not rely on the document."},
	{"mdoc.element_repeated", Suspect, "An element occurs twice.", "Do not rely on the document."},
	{"mdoc.short_random", Refer, "The digest of an element could be guessed.", "Report it with the issuer."},
	{"mdoc.issuer_signature", Suspect, "The issuer did not sign the document.", "Do not rely on the document."},
	{"mdoc.signer_usage", Suspect, "The signer may not sign mobile documents.", "Do not rely on the document; report it with the issuer."},
	{"mdoc.signer_profile", Refer, "The signer's certificate is not as the standard has it.", "Decide whether you accept such signers."},
	{"mdoc.signer_country", Suspect, "The signer is of another state than the document.", "Do not rely on the document."},
	{"mdoc.signed_outside", Suspect, "The document was signed when its signer was not valid.", "Do not rely on the document."},
	{"mdoc.dates", Suspect, "The dates of the document make no sense.", "Do not rely on the document."},
	{"mdoc.expired", Refer, "The document is out of date.", "Ask the person to renew it in the wallet."},
	{"mdoc.not_yet", Refer, "The document is not good yet.", "Check this machine's clock; else wait until it is."},
	{"mdoc.device_missing", Suspect, "The device did not prove to be the one of the document.", "Ask for the document again; do not rely on this one."},
	{"mdoc.device_signature", Suspect, "Another device, or for another request, presented the document.",
		"Ask for the document again; do not rely on this one."},
	{"mdoc.device_mac", Suspect, "The device's authentication code is wrong, or a signature is needed.",
		"Ask for the document again with a wallet that signs."},
	{"mdoc.not_authorised", Suspect, "The device says something that the issuer did not let it.", "Do not rely on the document."},
	{"mdoc.device_unchecked", Refer, "Whether the device presented the document was not checked.", "Ask for the document with a request of your own."},
	{"mdoc.revocation_unchecked", Refer, "There is no revocation list for the signer's certificate.",
		"Decide whether the status of the document is enough for you."},

	{"openid.query", None, "The query cannot be asked.", "Name format, types and claims as the Digital Credentials Query Language has them."},
	{"openid.request", None, "No wallet would take the request.", "Compare certificate, client_id and addresses; the sentence says which of them."},
	{"openid.malformed", Refer, "The wallet's answer is not written as its channel asks for.", "Ask again; if it stays so, report it with the wallet."},
	{"openid.too_large", Refer, "The wallet's answer is larger than is read.", "Ask for fewer claims, or decide by other evidence."},
	{"openid.other_channel", Suspect, "The answer came by another channel than was asked for.", "Do not rely on the answer; ask again."},
	{"openid.expired", Refer, "The request was over when the wallet answered.", "Ask again."},
	{"openid.state", Suspect, "The answer is to another request.", "Do not rely on the answer; ask again."},
	{"openid.wallet_error", Refer, "The wallet answered with an error: it has nothing suitable, or the person declined.",
		"Offer another way to prove the same."},
	{"openid.not_encrypted", Suspect, "The answer is open where an encrypted one was asked for.", "Do not rely on the answer; report it with the wallet."},
	{"openid.encryption", Refer, "The answer is encrypted in a way that was not offered.", "Ask again; if it stays so, report it with the wallet."},
	{"openid.other_key", Suspect, "The answer is encrypted to the key of another request.", "Do not rely on the answer; ask again."},
	{"openid.cannot_decrypt", Suspect, "The key of the request does not open the answer.", "Do not rely on the answer; ask again."},
	{"openid.not_asked", Suspect, "There is a credential that was not asked for.", "Do not rely on the answer."},
	{"openid.several", Suspect, "There are none or several presentations where one was asked for.", "Do not rely on the answer."},
	{"openid.unanswered", Refer, "A credential that was asked for is missing.", "Ask again, or decide by other evidence."},
	{"openid.claim_missing", Refer, "A claim that was asked for was not disclosed.", "Ask again, or decide by other evidence."},
	{"openid.excessive", None, "The wallet shared more than the age that was asked for.", "Nothing of it was kept. Report it with the wallet."},
	{"openid.value", Refer, "A claim has another value than was asked for.", "Decide by other evidence."},
})

// Problems of a wallet in a session.
var (
	// WalletMissing: the workflow requires a wallet, and none was presented.
	WalletMissing = register(Kind{
		Code: "wallet.missing", Status: 422, Severity: Refer, Reader: Operator,
		Title: "No credential was presented.", Remedy: "Decide by the document, or ask for the session again with a wallet.",
		Reviewer: "The workflow asks for a credential from a wallet, and none was presented.",
	})
	// WalletHolderUnproved: the holder's key did not sign what was presented.
	WalletHolderUnproved = register(Kind{
		Code: "wallet.holder_unproved", Status: 422, Severity: Refer, Reader: Operator,
		Title: "Nothing proves that the holder presented the credential.", Remedy: "Decide by other evidence.",
		Reviewer: "The holder's key did not sign what the wallet presented.",
	})
	// WalletRevoked: the issuer revoked or suspended the credential.
	WalletRevoked = register(Kind{
		Code: "wallet.revoked", Status: 422, Severity: Refer, Reader: Operator,
		Title: "The issuer withdrew the credential.", Remedy: "Do not rely on the credential; decide by other evidence.",
		Reviewer: "The issuer revoked or suspended the credential.",
	})
	// WalletRevocationUnknown: it is not known whether the credential was revoked.
	WalletRevocationUnknown = register(Kind{
		Code: "wallet.revocation_unknown", Status: 422, Severity: Refer, Reader: Operator,
		Title: "It is not known whether the credential was revoked.", Remedy: "Ask the issuer, or decide by other evidence.",
		Reviewer: "The credential names no status list that could be used.",
	})
	// WalletNotUsable: what a wallet presented is no evidence. The applicant learns no more than that.
	WalletNotUsable = register(Kind{
		Code: "wallet.not_usable", Status: 422, Severity: None, Reader: Applicant,
		Title: "Your wallet's document could not be accepted.", Remedy: "Go on with photos of your document.",
	})
	// WalletDeclined: the wallet shared nothing: the person declined, or it has nothing suitable.
	WalletDeclined = register(Kind{
		Code: "wallet.declined", Status: 422, Reader: Applicant,
		Title: "Your wallet shared nothing.", Remedy: "Try again, choose another wallet, or go on with photos of your document.",
	})
	// WalletFailed: the wallet answered with an error, or with nothing that can be read.
	WalletFailed = register(Kind{
		Code: "wallet.failed", Status: 422, Reader: Applicant,
		Title: "Your wallet could not answer.", Remedy: "Try again, choose another wallet, or go on with photos of your document.",
	})
	// WalletExpired: the request is over, was answered before, or was never made. One row for all of these: a stranger who tries
	// addresses learns nothing.
	WalletExpired = register(Kind{
		Code: "wallet.expired", Status: 410, Reader: Applicant,
		Title: "This request to your wallet is over.", Remedy: "Go back to the page where you started, and begin again.",
	})
	// WalletCodeRefused: a response code that is used up, unknown or of another browser's session.
	WalletCodeRefused = register(Kind{
		Code: "wallet.code_refused", Status: 409, Reader: Applicant,
		Title: "Your wallet opened this page in another browser.", Remedy: "Go back to the page where you started, and begin again there.",
	})
	// WalletNotAsked: the workflow asks no wallet.
	WalletNotAsked = register(Kind{
		Code: "wallet.not_asked", Status: 409, Reader: Integrator,
		Title: "This session asks no wallet.", Remedy: "Ask a wallet in sessions whose task says wallet: offered or required.",
	})
	// WalletChannelMissing: the deployment cannot ask wallets this way.
	WalletChannelMissing = register(Kind{
		Code: "wallet.channel_missing", Status: 409, Reader: Integrator,
		Title: "Wallets cannot be asked this way here.", Remedy: "Ask the operator to set --wallet-certificate and --wallet-key.",
	})
)
