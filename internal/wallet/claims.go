package wallet

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/language"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
)

// facts are what valid credentials state, as far as it was asked for.
type facts struct {
	claims   []idv.Claim
	country  string // issuing state
	ages     []idv.WalletAge
	cut      []idv.ClaimName
	portrait []byte
	values   []idv.WalletValue // of credentials that no preset has
}

// names are the facts of claims and data elements, by their names: those of the PID Rulebook, of SD-JWT VC and of ISO/IEC 18013-5.
var names = map[string]idv.ClaimName{
	"family_name": idv.FamilyName, "given_name": idv.GivenNames, "birthdate": idv.DateOfBirth, "birth_date": idv.DateOfBirth,
	"date_of_expiry": idv.DateOfExpiry, "expiry_date": idv.DateOfExpiry, "date_of_issuance": idv.DateOfIssue, "issuance_date": idv.DateOfIssue,
	"issue_date": idv.DateOfIssue, "document_number": idv.DocumentNumber, "nationalities": idv.Nationality, "nationality": idv.Nationality,
	"issuing_country": idv.Issuer, "issuing_authority": idv.Authority, "sex": idv.Sex, "personal_administrative_number": idv.PersonalNumber,
	"birth_place": idv.PlaceOfBirth, "resident_address": idv.Address,
}

// factsOf returns what was disclosed of what was asked for. Two credentials that state a fact are two claims.
func factsOf(r *openid4vp.Request, report *openid4vp.Report) facts {
	var out facts
	for _, q := range r.Query.Credentials {
		c, there := report.Credentials[q.ID]
		if !there {
			continue
		}
		stated := statedIn(q, c)
		out.add(stated)
	}
	return out
}

// statedIn returns the claims of a credential by their names, those alone that were asked for.
func statedIn(q openid4vp.CredentialQuery, c openid4vp.Credential) map[string]any {
	out := map[string]any{}
	for _, asked := range q.Claims {
		first, _ := asked.Path[0].(string)
		switch {
		case c.SDJWT != nil:
			if v, there := c.SDJWT.Claims[first]; there {
				out[first] = v
			}
		case c.MDoc != nil:
			name, _ := asked.Path[1].(string)
			if v, there := c.MDoc.Claims[first][name]; there {
				out[name] = v
			}
		}
	}
	return out
}

func (f *facts) add(stated map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(stated)) {
		v := stated[name]
		fact, known := names[name]
		over, isAge := strings.CutPrefix(name, "age_over_")
		switch {
		case known:
			if value := valueOf(fact, v); value != "" {
				f.claims = append(f.claims, idv.Claim{Name: fact, Value: value, Source: idv.FromWallet, Confidence: 1})
			}
			if fact == idv.Issuer {
				f.country = valueOf(fact, v)
			}
		case isAge:
			f.age(over, v)
		case name == "age_equal_or_over":
			ages, _ := v.(map[string]any)
			for _, over := range slices.Sorted(maps.Keys(ages)) {
				f.age(over, ages[over])
			}
		case name == "portrait", name == "picture":
			f.portrait = pictureOf(v)
		case name == "family_name_truncation" && v == "T":
			f.cut = append(f.cut, idv.FamilyName)
		case name == "given_name_truncation" && v == "T":
			f.cut = append(f.cut, idv.GivenNames)
		}
	}
}

func (f *facts) age(over string, v any) {
	years, err := strconv.Atoi(over)
	is, ok := v.(bool)
	if err == nil && ok && years > 0 && years < 150 {
		f.ages = append(f.ages, idv.WalletAge{Over: years, Is: is})
	}
}

// valueOf returns the value of a fact as it is compared with others; empty for one that says nothing.
func valueOf(fact idv.ClaimName, v any) string {
	if list, ok := v.([]any); ok && len(list) > 0 { // of several nationalities the first
		v = list[0]
	}
	text, isText := v.(string)
	switch fact {
	case idv.Sex:
		return sexOf(v)
	case idv.Nationality, idv.Issuer:
		return stateOf(strings.ToUpper(text))
	case idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
		return dayOf(text)
	}
	if !isText {
		return ""
	}
	return strings.TrimSpace(text)
}

// unlisted are states without a code of ISO 3166-1, by the two letters that are in use for them.
var unlisted = map[string]string{"XK": "RKS", "EU": "EUE", "UT": "UTO"}

// stateOf returns the code by which facts name a state, for its code of two or three letters.
func stateOf(code string) string {
	if own, ok := unlisted[code]; ok {
		return own
	}
	if len(code) != 2 {
		return icao.ClaimedState(code)
	}
	region, err := language.ParseRegion(code)
	if err != nil || region.ISO3() == "ZZZ" {
		return code
	}
	return icao.ClaimedState(region.ISO3())
}

// dayOf returns the day of a full-date or of a time; empty if it is neither.
func dayOf(text string) string {
	if len(text) > len(time.DateOnly) && text[len(time.DateOnly)] == 'T' {
		text = text[:len(time.DateOnly)]
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return ""
	}
	return text
}

// sexOf returns F or M for the codes of ISO/IEC 5218, and X for the others that the PID Rulebook has.
func sexOf(v any) string {
	var code int64
	switch n := v.(type) {
	case json.Number:
		code, _ = n.Int64()
	case uint64:
		code = int64(min(n, 100)) //nolint:gosec // bounded
	}
	switch {
	case code == 1:
		return "M"
	case code == 2:
		return "F"
	case code >= 3 && code <= 6:
		return "X"
	}
	return ""
}

// pictureOf returns the bytes of a portrait: of a mobile document as they are, of an SD-JWT from its data address.
func pictureOf(v any) []byte {
	switch p := v.(type) {
	case []byte:
		return p
	case string:
		head, data, ok := strings.Cut(p, ",")
		if !ok {
			data = p
		} else if !strings.HasSuffix(head, ";base64") {
			return nil
		}
		data = strings.TrimRight(data, "=")
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			if raw, err := encoding.DecodeString(data); err == nil {
				return raw
			}
		}
	}
	return nil
}
