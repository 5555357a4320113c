package problem

import "slices"

// credentials are the refusals of signed evidence: files of a chip, signatures, certificates, lists of trust. The packages that refuse
// declare the codes (internal/refusal); each has a row here. One without a severity is never a reason: what it refuses is not taken in.
var credentials = registerAll([]credential{
	{"tlv.malformed", None, "The file does not follow its format.", "Read the file again and send it unchanged."},
	{"tlv.too_deep", None, "The file is nested deeper than any such file.", "Read the file again and send it unchanged."},
	{"tlv.too_large", None, "The file is larger than any such file.", "Send one file as it was read, and nothing else."},
	{"tlv.trailing", None, "Bytes follow the end of the file.", "Cut the file at the length that it states."},

	{"cms.not_signed_data", Refer, "The file holds no signed data.", "Send EF.SOD, or a master list, as it was published."},
	{"cms.content_missing", Suspect, "The signed data has no content.", "Send the file as it was signed."},
	{"cms.version", Refer, "The signed data has an unknown version.", "Report this to the issuing state; it may use another version."},
	{"cms.signer_missing", Suspect, "Nobody signed the data.", "Send the file as it was signed."},
	{"cms.too_many", Refer, "There are too many signers or certificates.", "Send the file as it was published."},
	{"cms.certificate_missing", Suspect, "The certificate of the signer is not in the file.", "Send the file as it was signed."},
	{"cms.attributes_missing", Suspect, "Signed attributes are missing.", "Send the file as it was signed."},
	{"cms.attribute_repeated", Suspect, "A signed attribute has several values.", "Send the file as it was signed."},
	{"cms.content_type_mismatch", Suspect, "The signed content type does not match the content.", "Do not rely on the file."},
	{"cms.digest_mismatch", Suspect, "The content is not the one that was signed.", "Do not rely on the file."},

	{"pki.algorithm_mismatch", Suspect, "A certificate names two different algorithms.", "Do not rely on the certificate."},
	{"pki.algorithm_unknown", Refer, "The signature uses an algorithm that is not accepted.", "Use other evidence to decide, and report this to the issuing " +
		"state."},
	{"pki.curve_unknown", Suspect, "A key is on a curve without a name, or with another base point.", "Do not rely on the certificate."},
	{"pki.extension_malformed", Refer, "An extension of a certificate cannot be read.", "Ask the issuing state for an intact certificate."},
	{"pki.extension_repeated", Refer, "An extension of a certificate occurs twice.", "Ask the issuing state for an intact certificate."},
	{"pki.key_mismatch", Suspect, "The signature is of another kind than the key.", "Do not rely on the signature."},
	{"pki.key_unsupported", Refer, "This kind of key is not supported.", "Use other evidence to decide."},
	{"pki.point_off_curve", Suspect, "A public key is not a point on its curve.", "Do not rely on the certificate."},
	{"pki.signature_invalid", Suspect, "The key did not make the signature.", "Do not rely on the data."},

	{"trust.not_a_master_list", None, "The file is not a master list.", "Upload the .ml file as the state published it."},
	{"trust.list_signer", None, "The list has several signers, or does not say when it was signed.", "Fetch the list again from its publisher."},
	{"trust.list_signer_usage", None, "The signer may not sign master lists.", "Fetch the list from its publisher; do not accept this one."},
	{"trust.list_signer_expired", None, "The list was signed when its signer was not valid.", "Fetch a newer list from its publisher."},
	{"trust.not_a_vical", None, "The file is not a list of mobile document authorities (VICAL).", "Upload the list as its provider published it."},
	{"trust.vical_signer", None, "The list's signer was not allowed to sign it at that time.", "Fetch a newer list from its provider."},
	{"trust.vical_entry", None, "An entry of the list contradicts its certificate.", "Do not accept the list; report it to its provider."},
	{"trust.rollback", None, "The list is older than the one in force.", "Fetch the newest list; to go back, undo the newer update."},
	{"trust.link_is_no_anchor", None, "A link certificate cannot be a trusted root.", "Upload the certificate that the authority issued for its own key."},
	{"trust.not_an_authority", Refer, "The certificate may not sign certificates.", "Use the certificate of the state's signing authority."},
	{"trust.not_understood", Refer, "The certificate has a critical part that is not supported.", "Use other evidence to decide, and report this to the " +
		"issuing state."},
	{"trust.distrusted", Refer, "The certificate was removed by the operator.", "The trust page shows when it was removed, and by whom."},
	{"trust.anchor_missing", Refer, "No accepted authority issued the signer's certificate.", "See which certificate is missing, and add it on the trust page."},
	{"trust.other_name", Refer, "The authority has another name than the issuer.", "Add the authority that the certificate names."},
	{"trust.other_key", Refer, "The authority has another key than the issuer.", "Add the newer or older generation of the authority."},
	{"trust.other_country", Suspect, "A certificate is of another state than its issuer.", "Do not rely on the certificate."},
	{"trust.other_purpose", None, "The issuer is trusted for other evidence.", "If it may also issue this, add its certificate for it."},
	{"trust.nothing_signed", None, "The file holds no certificate and nothing that is signed.", "Send an EF.SOD, a credential, a list or a certificate."},
	{"trust.signature", Suspect, "The authority did not sign the certificate that names it.", "Do not rely on the certificate."},
	{"trust.not_valid_at_issue", Suspect, "The certificate was issued when its issuer was not valid.", "Do not rely on the certificate."},
	{"trust.out_of_date", Refer, "A certificate of the chain is out of date.", "Add the newer authority, or ask the person to renew the credential."},
	{"trust.weak_algorithm", Refer, "A certificate of the chain is signed with a weak algorithm.", "Use other evidence to decide, and report this to the issuer."},
	{"trust.path_too_long", Refer, "The chain of authorities is too long.", "Add a newer authority of the state."},
	{"trust.revoked", Suspect, "The signer's certificate was revoked.", "Do not rely on the document; its state withdrew the signer."},
	{"trust.crl_issuer", None, "The revocation list was not issued by a trusted authority.", "Add the state's authority first."},
	{"trust.crl_signature", None, "Its issuer did not sign the revocation list.", "Fetch the list again from the state."},
	{"trust.crl_expired", None, "The revocation list is out of date.", "Fetch a newer list from the state."},
	{"trust.crl_not_fetched", None, "The revocation list could not be fetched.", "Check its address and the network; the list in force stays."},
	{"trust.crl_not_yet", None, "The revocation list is dated in the future.", "Check this machine's clock, or fetch the list again."},

	{"lds.wrong_file", None, "The file is not a chip file, or not the expected one.", "Send EF.COM, EF.SOD and data groups as they were read."},
	{"lds.too_large", None, "The file is larger than any chip file of its kind.", "Send the file as it was read."},
	{"lds.malformed", None, "A part of the file is missing or cannot be read.", "Read the file again from the chip."},
	{"lds.no_zone", None, "DG1 has no machine-readable zone.", "Read DG1 again from the chip."},
	{"lds.no_portrait", None, "DG2 has no picture of a face.", "Read DG2 again from the chip."},
	{"lds.picture_unknown", None, "The picture in DG2 is neither JPEG nor JPEG 2000.", "Use other evidence to decide; the picture cannot be shown."},
	{"lds.sod_structure", None, "The list of digests in EF.SOD cannot be read.", "Read EF.SOD again from the chip."},
	{"lds.sod_version", None, "The list of digests in EF.SOD has an unknown version.", "Report this to the issuing state."},
	{"lds.group_twice", None, "A file occurs twice.", "Send each file once."},

	{"chip.sod_missing", None, "EF.SOD was not sent.", "Read EF.SOD from the chip and send it along."},
	{"chip.group_missing", None, "DG1 or DG2 was not sent.", "Read both from the chip and send them along."},
	{"chip.digest_mismatch", Suspect, "Data on the chip is not what the state signed.", "Examine the document itself before you decide."},
	{"chip.group_not_signed", Suspect, "The chip holds data that the state did not sign.", "Examine the document itself before you decide."},
	{"chip.com_disagrees", Suspect, "The chip's index does not match the data that the state signed.", "Examine the document itself before you decide."},
	{"chip.several_signers", Suspect, "The chip's data has several signers.", "Examine the document itself before you decide."},
	{"chip.signer_usage", Suspect, "The signer may not sign documents.", "Do not rely on the chip."},
	{"chip.signer_document_type", Suspect, "The signer signs documents of another kind.", "Do not rely on the chip."},
	{"chip.signer_country", Suspect, "The signer belongs to a different state than the document.", "Do not rely on the chip."},
	{"chip.signed_outside", Suspect, "The data was signed when its signer was not valid.", "Do not rely on the chip."},
	{"chip.signed_in_future", Suspect, "The data was signed in the future.", "Check this machine's clock. If it is right, do not rely on the chip."},
	{"chip.signer_expired", Refer, "The signer has expired, and nothing says when it signed.", "Use other evidence to decide."},
	{"chip.weak_algorithm", Refer, "The data was signed with a weak algorithm.", "Decide whether such a signature is enough for you."},
	{"chip.zone_differs", Refer, "The chip and the page say different things.", "Compare the chip's facts with the page."},
	{"chip.active_key_missing", Suspect, "The chip's key for proving itself was not signed by the state.", "Do not rely on the chip."},
	{"chip.active_algorithm", Refer, "The chip does not say how its key signs.", "A copy cannot be ruled out. Examine the document itself."},
	{"chip.active_signature", Suspect, "The chip did not sign our challenge.", "Examine the document itself: the chip may be a copy."},
	{"chip.agreement_failed", Suspect, "The chip could not use its key.", "Examine the document itself: the chip may be a copy."},
	{"chip.signing_time_missing", Refer, "Nothing says when the data was signed.", "The signer is valid now; decide whether that is enough."},
	{"chip.signer_out_of_date", Refer, "The signer has expired since it signed.", "Nothing to do: it was valid when it signed."},
	{"chip.revocation_unchecked", Refer, "There is no revocation list from the issuer.", "Upload the state's revocation list on the trust page."},
	{"chip.copy_not_excluded", Refer, "Nothing proves that the chip is not a copy.", "Examine the document itself, or ask for the chip's answer to a challenge."},
})

// Codes of the table that checks of a chip name.
const (
	ChipWeakAlgorithm       = "chip.weak_algorithm"
	ChipCopyNotExcluded     = "chip.copy_not_excluded"
	ChipRevocationUnchecked = "chip.revocation_unchecked"
	ChipZoneDiffers         = "chip.zone_differs"
	TrustRevoked            = "trust.revoked"
)

// Problems of a chip in a session.
var (
	// ChipMissing: the workflow requires a chip, and none was sent.
	ChipMissing = register(Kind{
		Code: "chip.missing", Status: 422, Severity: Refer, Reader: Operator,
		Title: "No chip was sent.", Remedy: "Decide on the page alone, or create a new session with an app that reads chips.",
		Reviewer: "The workflow asks for the chip of the document, and none was sent.",
	})
	// ChipPageUnread: there is no zone on the page that was read beyond doubt to compare the chip with.
	ChipPageUnread = register(Kind{
		Code: "chip.page_unread", Status: 422, Severity: Refer, Reader: Operator,
		Title: "The zone on the page was not read beyond doubt.", Remedy: "Compare the chip's facts with the page.",
		Reviewer: "The chip could not be compared with the page: the zone there was not read beyond doubt.",
	})
	// ChipNotAsked: the workflow takes no chip.
	ChipNotAsked = register(Kind{
		Code: "chip.not_asked", Status: 409, Reader: Integrator,
		Title: "This session does not accept a chip.", Remedy: "Send a chip only in sessions whose task says chip: offered or required.",
	})
	// ChipChallengeExpired: the answer of the chip is not to a challenge that is still open for this session. One row for a challenge that
	// is late, used, unknown or of another session: whoever tries them learns nothing.
	ChipChallengeExpired = register(Kind{
		Code: "chip.challenge_expired", Status: 409, Reader: Applicant,
		Title: "The chip took too long to answer.", Remedy: "Hold the document to the phone again and keep it there until it is read.",
	})
)

type credential struct {
	code          string
	severity      Severity
	title, remedy string
}

// registerAll adds rows that only reviewers and operators read.
func registerAll(all []credential) []Kind {
	var out []Kind
	for _, c := range all {
		k := Kind{Code: c.code, Status: 422, Severity: c.severity, Reader: Operator, Title: c.title, Remedy: c.remedy}
		if c.severity != None {
			k.Reviewer = c.title
		}
		out = append(out, register(k))
	}
	return out
}

// Problems of changing trust.
var (
	// TrustConflict: the update of trust is not in the state that the act needs.
	TrustConflict = register(Kind{
		Code: "trust.conflict", Status: 409, Reader: Operator,
		Title: "The update has changed since you loaded it.", Remedy: "Reload it. If trust has changed since the upload, upload it again.",
	})
	// TrustSamePerson: the deployment wants two persons, and this is the first one again.
	TrustSamePerson = register(Kind{
		Code: "trust.same_person", Status: 409, Reader: Operator,
		Title: "A second person has to agree.", Remedy: "Ask another member who may change trust.",
	})
)

// Credentials returns the rows of the refusals of signed evidence.
func Credentials() []Kind { return slices.Concat(credentials, wallets) }

// OfRefusal returns the problem for which signed evidence was refused, at the input that holds it; ok is false for a code without a
// row.
func OfRefusal(code, field string) (p *Error, ok bool) {
	k, ok := Lookup(code)
	return New(k).At(field), ok
}
