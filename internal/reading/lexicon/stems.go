package lexicon

import (
	"strings"
	"sync"
)

// Concept is what a word of a label is about. A label means what its concepts mean together: birth and place, the place of birth.
type Concept uint32

// What words of labels are about.
const (
	Birth Concept = 1 << iota
	Date
	Place
	Issue
	Expiry
	From
	Until
	Number
	Document
	Personal
	Name
	Surname
	Given
	Sex
	Nation
	Address
	Authority
	By
	State
	Code
	Other // what is no fact: signature, height, eyes, the type of the document
	Link  // of, and, de: says nothing
)

// stemTable has the beginnings of words in Latin script, folded, by concept. A stem with = before it is a whole word. The concepts are
// the fields of ICAO 9303-4 to -7, of directive 2006/126/EC, annex I, and of AAMVA's DL/ID card design standard, annex A.
var stemTable = map[Concept]string{
	Birth: `birth =born naissanc =nele =neele nacimi nascim nascit =nascido =nascida =nato =nata geburt geboren geboort urodz narozen narodz naroden
		rojstv rojen rodenj rodjen
		szulet naster fodels fodsels =fodt =fodd synty sunni =sundinud dzims =dzimis gimim =gimes =gimusi dogum naixem lindj twelid faeding faedd breith
		=geb genedig jaiot nacemento lahir kapanganakan =dob =ddn`,
	Date: `date datum =data fecha =dato datums datas tarih paiva kuupaev =aeg =aika =diena dagur =dag dagset tanggal tarikh =day =dzien =dan =ido ideje
		idopont
		=kelte keltez =jour =dia =giorno =tag =dagen petsa`,
	Place: `place lieu =ort lugar luogo =local =localidad localit plaats miejsc =misto =miesto =hely =helye =loc =locul =sted =stad =paikka mjesto =kraj
		=yeri =yer
		=koht =vieta stadur tempat =lloc =vend vendlind =ait =city =town =comune municip kunta =ville =stadt =citta ciudad =cidade`,
	Issue: `issu delivr emiss =emis =emisa emiter emitid =emise emision expedic expedid rilasc ausstell ausgest ausgab ausgef afgift afgeg verstrek
		wydan wydaj
		wystaw vydan vydav izdav izdan izdaj =izdal izdalo kiallit kiadas eliber utfard udsted utsted myonn antop =annettu duzenl verilis =verildigi =veren
		valjaa =valja izdos izdot
		izdev isdav isduo utgaf utgef lesh =hrug conced concess otorg expedit uitgif =iss =issd`,
	Expiry: `expir caduc vencim scaden =scade scade valid valab valable gultig ablauf geldig vervalt verval verloop wazn platn platnos =plati platne
		ervenyes lejar giltig gyldig
		udlob utlop voimass paatty vrijed istek isteka =vazi vazenj =velja veljav iztek gecerl kehti derig galioj gildir gildis skadim skaden =skad tiskad
		afloop =exp prescri =vto luput
		berlaku tamat iraung caducit`,
	From:  `=from =ab =desde =dal =od =fra =fran =vanaf =alkaen =von =del =du =since =ettol =baslangic =nuo =alates =partir`,
	Until: `=until =till =til =to =bis =tot =do =hasta =iki =lidz =kuni =asti =fino =jusqu =jusquau =ate =thru =through =sonu =tom`,
	Number: `number numer nummer numbr numar numur numri =no =nr =n =num =nro =br =broj cislo stevil szam =numarasi nomor nombor =sorszam =neuvl =nos
		=nbr zenbaki
		=rn =lic`,
	Document: `passport passeport pasaport passaport reisepass =pass =pas paszport paspoort utlevel =pasas =paso =pasos putovnic =potni =passi =pases
		vegabref =card carte =carta =karta =kaart
		=kort kortet =kortin kartya tarjeta tessera ausweis iskazn izkazn =dowod dowodu prukaz preukaz igazolv document dokument okman asiakir belge
		skirtein =visa =visum
		visado visto =vize =wiza wizy viisum vizum licenc licens =permis permis permiso patente fuhrersch rijbewij korkort forerkort ajokort permit pozwolen
		dozvol dovoljen =titre =titulo aufenthalt
		soporte =dl =dln =id =seria =serie =seri =idesp cartao kortnumm passnumm oppholds opholds uppehall oleskel pasnummer =kad aplieci liudijim tapatyb
		leidim elamis =buku`,
	Personal: `personal persoonl personnel personennu personenn persoonsn persnr osobis osobn =osoby identif identit identid idnumber national =pesel
		=cnp =oib =bsn =dni =nif =nie =cpr =curp =emso =jmbg
		=nuip =nin =ssn kennital henkilotun isikuk fodselsnu personnu personbet =egn rodnecis fiscal kimlik asmens =personas personkod burgerserv rijksreg
		szemely maticn vatandas personale perskod =nik nric ahv avs`,
	Name: `name =nom =noms =nome =nomi =nomes =nombre nombres namn navn =naam =nume =ime =imie imion imiona jmeno jmena =meno =mena nimi nimed =nev
		=neve nevek =ad =adi =adlar vards vardas vardai
		=nafn emri emrat =nama pangalan`,
	Surname: `surnam famil apellid cognom apelid nachnam zuname achternaam geslachtsn nazwisk prijmen priezvisk csalad vezetek efternam efternav
		etternav sukunim prezim priimek soyad
		perekonn perenim uzvard pavard kenninafn mbiemr kunjom =last =lastname sobrenom primaryid =ln =lname abizen cyfenw sloinne patronym`,
	Given: `given =first firstnam forenam prenom vornam voornam =imie imion jmeno jmena utonev utoneve keresztn prenum fornamn fornavn etunim =ime
		=imena eesnim vards vardas vardai eiginn
		=emri emrat ismij nombre secondaryid =fn =fname =adi =meno =mena rufnam tilltal middle`,
	Sex: `=sex =sexe =sexo =sesso =sexul =sess geschlecht geslacht =plec pohlavi =nem =neme =kon =kjonn sukupuol =spol =pol cinsiy =sugu dzimum =lytis
		=kyn gjini gender jantina kelamin =rhyw sexu`,
	Nation: `nationalit nationality nacional nazional staatsang staatsbu cittadin obywat obcans obcian allampol cetaten medborg statsborg kansalai
		drzavlj uyrug uyruk kodakond pilsonib
		piliety rikisfang shtetes nenshtet citizen nasjonal nationalitet indfods warganeg prislusnos nationaliteit naroden =narodnost herritar statsangeh`,
	Address: `address adress adresa adresy =adres adrese domicil residen anschrift wohnort wohnsit wohnhaft direccion indirizz residenz resid morada
		enderec woonplaats woonadres zamieszk
		zameldow lakcim lakohel osoite kotikunta prebival naslov elukoht dzivesv gyvenam ikametg alamat bydlis pobyt heimili bopael bostad bolig adrec
		bosted`,
	Authority: `authorit autorit autorid behord =organ autoriteit instant =urad hatosag myndigh viranom nadlez pristoj makam iestad istaig utgefand
		=office offic entidad departm department
		ministr burgerme prefect prefet`,
	By: `=by =par =por =przez =kym =kim =av =durch =da =dal =door =af`,
	State: `=state =country =staat =land =lands =pais =paese =stato panstw =stat orszag =tara =tarii drzav =riik riigi =valsts valstyb =maa maatunn
		=ulke =etat =estado =pays allam =negara
		landes staten staates`,
	Code: `=code =kod =kods =kood =kodas =codice =codigo =cod =kode landcode landcode =tunnus`,
	Other: `signat unterschr =firma =firmy assinat handteken podpis alair semnat namnteckn underskr allekir nimikirj potpis imzas =imza allkir paras
		parakst undirskr tandatang
		height statur =taille grosse estatur altura altezza lengte wzrost =vyska magassag inaltim =langd hojde hoyde pituus =visina =boy =boyu pikkus
		=augums =ugis =haed =hgt =ht =haut
		=eye =eyes =yeux augenfa =augen =ojos =olhos =occhi oczu =oci =ochi ochilor ogonfarg =ogon ojenf =ojne silmie silma =oko szeme =goz acukras =acu
		akiu augnlit
		=type =typ =tipo =tip tyypp =tur =turu =liik =tips =rusis tegund =soort =art =druh =vrsta tipul
		class klasse categ kategor clase remark bemerk annot observ anmerk uwagi poznamk megjegy opmerk anmark merkn huomaut pastab piezim athuga napomen
		opomb markus acikl restric endors donor
		=hair weight =wgt =wt hair =rstr =rest =restr =end =dd =audit =rev =dup =dups veteran organ father mother parent maiden padre madre =pere =mere
		=otec matk ojca anyja =baba =anne filiac hijode
		entrie entrees entrad ingress einreis wjazd vstup duration =stay sejour dauer aufenthaltsd profess occup beruf zawod religi pseudon ordens kunstl
		marital civil spouse blood access height =can
		=race authorised iban purpose koningin usage =under =cond condit prevgeg previous specimen blutgr`,
	Link: `holder titular titulair inhaber houder titolar bearer portador innehav indehav posiadac drzitel nositel tulajdonos
		=this =cette =ce =cet =este =esta =questo =questa =dieser =dieses =diese =dit =deze =denne =dette =detta =tego =tej =ez =aceasta =acest
		=acestui =detta =taman
		=full =complete =all =his =her =your =who =which =has =been =be =is =was =que =qui =kdy =dne =naar =zum =zur =beim =als =wie =su =sus
		=suo =sua =seu =sein =seine =at =as =with
		=s =n =sg =yy =yyyy =dd =mm =aaaa =jj =tt =jjjj =gggg =rrrr
		=of =de =la =le =les =des =der =die =das =den =dem =and =et =und =y =e =i =og =och =en =ja =ir =es =a =an =the =or =ou =oder =o =of =van =het
		=di =della =dello =da =do =dos =di =in =on =am =le =el =al =au =aux =s =ta =tal =tat
		=m =f =re =po =za =per =w =v =z =u =id`,
}

// stem is one entry of the table.
type stem struct {
	text    string
	concept Concept
}

// stems are the table's entries by their first letter, and the concepts of whole words.
type stems struct {
	whole map[string]Concept
	begin []stem
}

var (
	lexicon        = sync.OnceValue(func() stems { return stemsOf(stemTable) })
	easternLexicon = sync.OnceValue(func() stems { return stemsOf(stemTable, easternStems) })
)

func stemsOf(tables ...map[Concept]string) stems {
	out := stems{whole: map[string]Concept{}}
	for _, table := range tables {
		for c, row := range table {
			for s := range strings.FieldsSeq(row) {
				if w, ok := strings.CutPrefix(s, "="); ok {
					out.whole[Letters(w)] |= c
					continue
				}
				out.begin = append(out.begin, stem{text: Letters(s), concept: c})
			}
		}
	}
	return out
}

// Least letters of a stem that is looked for within a compound (Geburtsdatum), and of one that may have a letter misread.
const (
	stemWithin = 5
	stemFuzzy  = 6
)

// ConceptsOf returns what a word may be about, and how well it matches, 0–1: 1 as the table has it, less where a letter differs.
func ConceptsOf(text string) (Concept, float64) { return ConceptsOfWord(text, Letters(text)) }

// ConceptsOfWord is ConceptsOf for a word whose letters (Letters) are known; text tells its script. Stems of Cyrillic and Greek words are only for words
// in these letters: among Latin words they begin names, as those of eyes begin Matias.
func ConceptsOfWord(text, letters string) (Concept, float64) {
	if IsLatin(text) {
		return lexicon().conceptsOf(letters)
	}
	return easternLexicon().conceptsOf(letters)
}

func (l stems) conceptsOf(plain string) (Concept, float64) {
	if c := l.whole[plain]; c != 0 {
		return c, 1
	}
	var found Concept
	for _, s := range l.begin {
		switch {
		case strings.HasPrefix(plain, s.text):
			found |= s.concept
		case len(s.text) >= stemWithin && len(plain) > len(s.text)+2 && strings.Contains(plain, s.text):
			found |= s.concept
		}
	}
	if found != 0 || len(plain) < stemFuzzy {
		return found, 1
	}
	return nearStems(l.begin, plain), .7
}

// nearStems forgives one letter in the beginning of a long word, two in a very long one.
func nearStems(all []stem, plain string) Concept {
	var found Concept
	for _, s := range all {
		n := len(s.text)
		if n < stemFuzzy-1 || len(plain) < n-1 || plain[0] != s.text[0] && plain[1] != s.text[1] {
			continue
		}
		if Distance(plain[:min(len(plain), n)], s.text, 1) <= 1 {
			found |= s.concept
		}
	}
	return found
}
