package policy

// Function is an operator, a function or a macro that a condition can use.
type Function struct {
	Name, Signature, Doc string
	Example              string // a condition that uses it
}

// Example is a condition and its meaning.
type Example struct{ When, Doc string }

// Functions returns the functions that an editor offers. CEL has a few more.
func Functions() []Function {
	const list = `reasons.exists(r, r.startsWith("capture."))`
	return []Function{
		{
			"&&", "bool && bool → bool", "Both. What is not known on one side does not matter where the other is false.",
			`document.country_known && document.country == "UTO"`,
		},
		{
			"||", "bool || bool → bool", "At least one. What is not known on one side does not matter where the other is true.",
			`document.kind == "visa" || session.attempts > 9`,
		},
		{"!", "!bool → bool", "Not.", `!person.age_known`},
		{"==", "A == A → bool", "Equal; != for not equal.", `document.kind == "passport"`},
		{"<", "number < number → bool", "Less; also <=, > and >=.", `person.age_from < 25`},
		{"in", "A in list(A) → bool", "The list holds it.", `document.country in ["UTO", "D"]`},
		{"? :", "bool ? A : A → A", "The first where the condition holds, else the second.", `session.mode == "live" ? session.attempts > 5 : false`},
		{"size", "size(list or string) → int", "How many items, or characters.", `size(reasons) > 2`},
		{"exists", "list.exists(x, condition) → bool", "The condition holds for at least one item.", list},
		{"all", "list.all(x, condition) → bool", "The condition holds for every item; also for an empty list.", `default.reasons.all(r, r == "document.expired")`},
		{"exists_one", "list.exists_one(x, condition) → bool", "The condition holds for exactly one item.", `reasons.exists_one(r, r.startsWith("face."))`},
		{"filter", "list.filter(x, condition) → list", "The items for which it holds.", `size(reasons.filter(r, r.startsWith("document."))) > 1`},
		{"startsWith", "string.startsWith(string) → bool", "The text begins so.", `person.age_band.startsWith("18")`},
		{"endsWith", "string.endsWith(string) → bool", "The text ends so.", `person.age_band.endsWith("+")`},
		{"contains", "string.contains(string) → bool", "The text holds it.", `document.kind.contains("card")`},
		{"matches", "string.matches(pattern) → bool", "The text fits a regular expression (RE2).", `document.country.matches("^(UTO|D)$")`},
		{"getHours", "timestamp.getHours() → int", "Hour of the day in UTC, 0 to 23; also getMinutes.", `now.getHours() < 6`},
		{"getDayOfWeek", "timestamp.getDayOfWeek() → int", "Day of the week in UTC, 0 for Sunday.", `now.getDayOfWeek() in [0, 6]`},
		{"timestamp", "timestamp(string) → timestamp", "A moment, RFC 3339.", `now > timestamp("2027-01-01T00:00:00Z")`},
	}
}

// Examples returns conditions to start from.
func Examples() []Example {
	return []Example{
		{`document.country == "UTO"`, "Documents of one issuer."},
		{`document.country in ["UTO", "D"] && document.kind != "passport"`, "Other documents than passports of some issuers."},
		{`person.age_known && person.age_from < 25`, "Young people."},
		{`default.outcome == "declined" && default.reasons.all(r, r == "document.expired")`, "What would be declined only because the document has expired."},
		{`checks.face.match.scored && checks.face.match.score < 0.5`, "Faces that are alike, but not very."},
		{`document.source_known && document.source == "file"`, "A picture of the document was chosen from files."},
		{`chip.present && !chip.not_a_copy`, "The chip did not prove that it is no copy."},
		{`wallet.present && wallet.revocation != "good"`, "The credential is not known to be good."},
		{`"pep" in screening.topics`, "The person may be politically exposed."},
		{`velocity.address_known && velocity.address_hour == "21+"`, "Very many sessions from one network."},
		{`network.country_known && network.country != document.country`, "The session was opened in another country than that of the document."},
		{`session.attempts > 10`, "Many tries."},
		{`default.outcome == "approved" && now.getHours() < 6`, "What would be approved at night (UTC)."},
		{`!checks.liveness.challenge.ran`, "Nobody proved to be there."},
	}
}
