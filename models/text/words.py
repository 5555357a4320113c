"""Invents the text of one printed line of an identity document: names, places, dates, numbers, labels, addresses, authorities, and lines that are no language.

Words come from the common names of mrztext, from place names and from syllables, and get the diacritics of one language at random: nobody in
particular, and nothing that could be learned by heart. `line(rng)` gives text of the reader's alphabet only.
"""

import os
import unicodedata

import mrztext
from line import ALPHABET, HERE, READER, VIETNAMESE
from mrztext import DIGITS, LETTERS, chars, pick

# What each language writes over and into its letters.
ACCENTS = {
    "en": "", "nl": "ëïé", "de": "äöüß", "fr": "àâæçéèêëîïôœùûüÿ", "es": "áéíñóúü", "it": "àèéìòù", "pt": "ãõáâàéêíóôúç", "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž",
    "sk": "áäčďéíĺľňóôŕšťúýž", "hu": "áéíóöőúüű", "ro": "ăâîșț", "ro2": "ăâîşţ", "tr": "çğıöşüâî", "az": "əçğıöşü", "sv": "åäö", "da": "æøå", "is": "áðéíóúýþæö", "fi": "äö", "et": "äöõü",
    "lv": "āčēģīķļņšūž", "lt": "ąčęėįšųūž", "hr": "čćđšž", "mt": "ċġħż", "ca": "àçéèíïóòúüŀ", "vi": "ăâđêôơư", "eo": "ĉĝĥĵŝŭ", "cy": "âêîôûŵŷ", "se": "áčđŋšŧž", "kl": "áâãêíîôúûĩũ",
    "old": "ĕĭŏĢģŖŗŅņĻļĮįŲųĊċĖėőűĨĩŨũŌōŪūĪīĒēĀā",
}
TONES = ("", "\u0301", "\u0300", "\u0309", "\u0303", "\u0323")  # of Vietnamese: none, and marks above and below a vowel
TONED = {v: [unicodedata.normalize("NFC", v + tone) for tone in TONES] for v in "aăâeêioôơuưy"}
ODDS = dict.fromkeys(ACCENTS, 1.0) | {"en": 3.0, "de": 2.0, "fr": 3.0, "es": 1.5, "it": 1.5, "pt": 1.5, "pl": 2.0, "cs": 1.5, "tr": 1.5, "ro": 1.5, "kl": 0.4, "eo": 0.8, "old": 1.2, "mt": 0.6, "se": 0.7}
if READER == VIETNAMESE:  # more than half of all words
    ACCENTS["vi"] = "đ" + "".join(c for some in TONED.values() for c in some if not c.isascii())
    ODDS["vi"] = 60.0
LANGUAGES, WEIGHT = list(ODDS), [w / sum(ODDS.values()) for w in ODDS.values()]
BASE = {}  # accented letter → letters it may stand in for
for group, base in (
    ("àáâãäåāăąæəả", "a"), ("çćĉċč", "c"), ("ďđð", "d"), ("èéêëēĕėęěœ", "e"), ("ĝğġģ", "g"), ("ĥħ", "h"), ("ìíîïĩīĭįı", "i"), ("ĵ", "j"), ("ķ", "k"), ("ĺļľŀł", "l"), ("ñńņňŋ", "n"),
    ("òóôõöøōŏőơ", "o"), ("ŕŗř", "r"), ("śŝşšșß", "s"), ("ţťŧțþ", "t"), ("ùúûüũūŭůűųư", "u"), ("ŵ", "w"), ("ýÿŷ", "y"), ("źżž", "z"),
):
    for letter in group:
        BASE[letter] = base
BASE |= {c: BASE.get(v, v) for v, some in TONED.items() for c in some if not c.isascii()}
SPECIAL = [c for c in ALPHABET if ord(c) > 0xBF]

PLACES = """PARIS LYON MARSEILLE BERLIN HAMBURG MUNCHEN KOLN WIEN GRAZ ZURICH GENEVE BERN BRUXELLES GENT LIEGE AMSTERDAM ROTTERDAM UTRECHT DEN HAAG LONDON LEEDS CARDIFF DUBLIN CORK
MADRID SEVILLA VALENCIA LISBOA PORTO COIMBRA ROMA MILANO TORINO NAPOLI WARSZAWA KRAKOW LODZ GDANSK PRAHA BRNO BRATISLAVA KOSICE BUDAPEST SZEGED BUCURESTI IASI SOFIA ZAGREB SPLIT LJUBLJANA BEOGRAD
SARAJEVO TIRANA ATHINA ISTANBUL ANKARA IZMIR STOCKHOLM MALMO OSLO BERGEN KOBENHAVN AARHUS HELSINKI TURKU TALLINN TARTU RIGA VILNIUS KAUNAS REYKJAVIK VALLETTA LUXEMBOURG NICOSIA KYIV LVIV
OTTAWA TORONTO MONTREAL QUEBEC VANCOUVER BOSTON DENVER DALLAS AUSTIN SEATTLE PHOENIX CHICAGO HOUSTON MIAMI MEXICO GUADALAJARA BOGOTA LIMA SANTIAGO CARACAS QUITO BUENOS AIRES ROSARIO SAO PAULO BAHIA
RABAT TUNIS ALGER CAIRO LAGOS ABUJA ACCRA NAIROBI DAKAR KINSHASA PRETORIA DURBAN DELHI MUMBAI DHAKA LAHORE KARACHI COLOMBO HANOI MANILA JAKARTA BANGKOK TOKYO OSAKA SEOUL BEIJING SHANGHAI SYDNEY PERTH
AUCKLAND WELLINGTON""".split()
COUNTRIES = """FRANCE DEUTSCHLAND GERMANY ALLEMAGNE UNITED_KINGDOM ROYAUME-UNI IRELAND ÉIRE ITALIA ITALY ITALIE ESPAÑA SPAIN ESPAGNE PORTUGAL NEDERLAND NETHERLANDS PAYS-BAS BELGIË BELGIQUE BELGIEN POLSKA POLAND
POLOGNE ČESKÁ_REPUBLIKA CZECH_REPUBLIC SLOVENSKO MAGYARORSZÁG HUNGARY ROMÂNIA ROMANIA HRVATSKA CROATIA SLOVENIJA ÖSTERREICH AUSTRIA SUISSE SCHWEIZ SVIZZERA SVIZRA LUXEMBOURG DANMARK SVERIGE NORGE NOREG SUOMI FINLAND
ÍSLAND EESTI LATVIJA LIETUVA MALTA TÜRKİYE ALBANIA SHQIPËRIA SRBIJA CANADA UNITED_STATES_OF_AMERICA MÉXICO BRASIL ARGENTINA CHILE PERÚ COLOMBIA REPÚBLICA_FEDERATIVA_DO_BRASIL AUSTRALIA NEW_ZEALAND AOTEAROA
REPUBLIC_OF_INDIA JAPAN KOREA UTOPIA REPUBLIC_OF_UTOPIA BRITISH_CITIZEN FRANÇAISE DEUTSCH POLSKIE ITALIANA ESPAÑOLA PORTUGUESA NEDERLANDSE SVENSK DANSK OBYWATELSTWO AZƏRBAYCAN KALAALLIT_NUNAAT SÁPMI CYMRU""".split()
COUNTRIES = [c.replace("_", " ") for c in COUNTRIES]

# The same label in languages, in this order: en fr de es it pt nl pl, then others.
LABELS = [l.split("/") for l in """Surname/Nom/Name/Apellidos/Cognome/Apelidos/Achternaam/Nazwisko/Příjmení/Efternamn/Sukunimi/Soyadı/Nume/Prezime/Vezetéknév/Priezvisko/Efternavn/Eiginnafn/Perekonnanimi/Uzvārds/Pavardė/Priimek/Kunjom
Given names/Prénoms/Vornamen/Nombre/Nome/Nomes próprios/Voornamen/Imiona/Jméno/Förnamn/Etunimet/Adı/Prenume/Ime/Utónév/Meno/Fornavne/Kenninafn/Eesnimi/Vārds/Vardas/Ime/Isem
Date of birth/Date de naissance/Geburtsdatum/Fecha de nacimiento/Data di nascita/Data de nascimento/Geboortedatum/Data urodzenia/Datum narození/Födelsedatum/Syntymäaika/Doğum tarihi/Data nașterii/Datum rođenja/Születési idő/Dátum narodenia/Fødselsdato/Fæðingardagur/Sünniaeg/Dzimšanas datums/Gimimo data/Datum rojstva/Data tat-twelid
Place of birth/Lieu de naissance/Geburtsort/Lugar de nacimiento/Luogo di nascita/Local de nascimento/Geboorteplaats/Miejsce urodzenia/Místo narození/Födelseort/Syntymäpaikka/Doğum yeri/Locul nașterii/Mjesto rođenja/Születési hely/Miesto narodenia/Fødested/Fæðingarstaður/Sünnikoht/Dzimšanas vieta/Gimimo vieta/Kraj rojstva/Post tat-twelid
Nationality/Nationalité/Staatsangehörigkeit/Nacionalidad/Cittadinanza/Nacionalidade/Nationaliteit/Obywatelstwo/Státní občanství/Medborgarskap/Kansalaisuus/Uyruğu/Cetățenia/Državljanstvo/Állampolgárság/Štátne občianstvo/Statsborgerskab/Ríkisfang/Kodakondsus/Pilsonība/Pilietybė/Državljanstvo/Ċittadinanza
Date of issue/Date de délivrance/Ausstellungsdatum/Fecha de expedición/Data di rilascio/Data de emissão/Datum van afgifte/Data wydania/Datum vydání/Utfärdandedatum/Myöntämispäivä/Veriliş tarihi/Data eliberării/Datum izdavanja/Kiállítás dátuma/Dátum vydania/Udstedelsesdato/Útgáfudagur/Väljaandmise kuupäev/Izdošanas datums/Išdavimo data/Datum izdaje/Data tal-ħruġ
Date of expiry/Date d'expiration/Gültig bis/Fecha de caducidad/Data di scadenza/Data de validade/Geldig tot/Data ważności/Platnost do/Sista giltighetsdag/Viimeinen voimassaolopäivä/Son geçerlilik tarihi/Data expirării/Vrijedi do/Érvényes/Platnosť do/Gyldig til/Gildir til/Kehtiv kuni/Derīguma termiņš/Galioja iki/Velja do/Data ta' skadenza
Authority/Autorité/Ausstellende Behörde/Autoridad/Autorità/Autoridade/Autoriteit/Organ wydający/Vydal/Myndighet/Viranomainen/Veren makam/Emitentă/Izdalo/Kiállító hatóság/Vydal/Myndighed/Útgefandi/Väljaandja/Izdevējiestāde/Išdavė/Izdal/Awtorità
Sex/Sexe/Geschlecht/Sexo/Sesso/Sexo/Geslacht/Płeć/Pohlaví/Kön/Sukupuoli/Cinsiyeti/Sexul/Spol/Neme/Pohlavie/Køn/Kyn/Sugu/Dzimums/Lytis/Spol/Sess
Document No./No du document/Dokumentennummer/Número de documento/Numero del documento/N.º do documento/Documentnummer/Numer dokumentu/Číslo dokladu/Dokumentnummer/Asiakirjan numero/Belge no/Nr. documentului/Broj isprave/Okmány száma/Číslo dokladu/Dokumentnr./Númer skjals/Dokumendi number/Dokumenta Nr./Dokumento Nr./Številka/Numru
Passport No./Passeport No/Reisepass-Nr./Pasaporte N.º/Passaporto N./Passaporte N.º/Paspoortnummer/Nr paszportu/Číslo pasu/Passnummer/Passin numero/Pasaport no/Pașaport nr./Broj putovnice/Útlevél száma/Číslo pasu/Pasnr./Vegabréf nr./Passi number/Pases Nr./Paso Nr./Št. potnega lista/Nru tal-Passaport
Passport/Passeport/Reisepass/Pasaporte/Passaporto/Passaporte/Paspoort/Paszport/Cestovní pas/Pass/Passi/Pasaport/Pașaport/Putovnica/Útlevél/Cestovný pas/Pas/Vegabréf/Pass/Pase/Pasas/Potni list/Passaport
Identity card/Carte d'identité/Personalausweis/Documento de identidad/Carta d'identità/Cartão de cidadão/Identiteitskaart/Dowód osobisty/Občanský průkaz/Identitetskort/Henkilökortti/Kimlik kartı/Carte de identitate/Osobna iskaznica/Személyazonosító igazolvány/Občiansky preukaz/Identitetskort/Nafnskírteini/Isikutunnistus/Personas apliecība/Asmens tapatybės kortelė/Osebna izkaznica/Karta tal-identità
Residence permit/Titre de séjour/Aufenthaltstitel/Permiso de residencia/Permesso di soggiorno/Título de residência/Verblijfstitel/Zezwolenie na pobyt/Povolení k pobytu/Uppehållstillstånd/Oleskelulupa/İkamet izni/Permis de ședere/Dozvola boravka/Tartózkodási engedély/Povolenie na pobyt/Opholdstilladelse/Dvalarleyfi/Elamisluba/Uzturēšanās atļauja/Leidimas gyventi/Dovoljenje za prebivanje/Permess ta' residenza
Driving licence/Permis de conduire/Führerschein/Permiso de conducción/Patente di guida/Carta de condução/Rijbewijs/Prawo jazdy/Řidičský průkaz/Körkort/Ajokortti/Sürücü belgesi/Permis de conducere/Vozačka dozvola/Vezetői engedély/Vodičský preukaz/Kørekort/Ökuskírteini/Juhiluba/Vadītāja apliecība/Vairuotojo pažymėjimas/Vozniško dovoljenje/Liċenzja tas-sewqan
Height/Taille/Größe/Estatura/Statura/Altura/Lengte/Wzrost/Výška/Längd/Pituus/Boyu/Înălțimea/Visina/Magasság/Výška/Højde/Hæð/Pikkus/Augums/Ūgis/Višina/Tul
Colour of eyes/Couleur des yeux/Augenfarbe/Color de ojos/Colore degli occhi/Cor dos olhos/Kleur ogen/Kolor oczu/Barva očí/Ögonfärg/Silmien väri/Göz rengi/Culoarea ochilor/Boja očiju/Szeme színe/Farba očí/Øjenfarve/Augnlitur/Silmade värv/Acu krāsa/Akių spalva/Barva oči/Kulur tal-għajnejn
Signature of bearer/Signature du titulaire/Unterschrift der Inhaberin/Firma del titular/Firma del titolare/Assinatura do titular/Handtekening/Podpis posiadacza/Podpis držitele/Innehavarens namnteckning/Haltijan nimikirjoitus/İmza/Semnătura titularului/Potpis/Aláírás/Podpis držiteľa/Indehaverens underskrift/Undirskrift/Allkiri/Paraksts/Parašas/Podpis/Firma
Address/Domicile/Wohnort/Domicilio/Residenza/Morada/Woonplaats/Adres zameldowania/Trvalý pobyt/Adress/Osoite/Adresi/Domiciliul/Prebivalište/Lakcím/Trvalý pobyt/Bopæl/Heimili/Aadress/Adrese/Adresas/Naslov/Indirizz
Type/Type/Typ/Tipo/Tipo/Tipo/Type/Typ/Typ/Typ/Tyyppi/Tipi/Tip/Tip/Típus/Typ/Type/Tegund/Tüüp/Tips/Tipas/Vrsta/Tip
Country code/Code du pays/Code/Código del país/Codice Paese/Código do país/Landcode/Kod państwa/Kód země/Landskod/Maan koodi/Ülke kodu/Codul țării/Kod države/Országkód/Kód štátu/Landekode/Landsnúmer/Riigi kood/Valsts kods/Valstybės kodas/Koda države/Kodiċi
Personal No./No personnel/Persönliche Nummer/N.º personal/Codice fiscale/N.º pessoal/Persoonsnummer/Numer PESEL/Rodné číslo/Personnummer/Henkilötunnus/T.C. Kimlik No/Cod numeric personal/OIB/Személyi szám/Rodné číslo/Personnr./Kennitala/Isikukood/Personas kods/Asmens kodas/EMŠO/Nru ta' l-identità
Birth name/Nom de naissance/Geburtsname/Apellido de soltera/Nome alla nascita/Nome de solteira/Geboortenaam/Nazwisko rodowe/Rodné příjmení/Födelsenamn/Syntymänimi/Önceki soyadı/Nume anterior/Rođeno prezime/Születési név/Rodné priezvisko/Fødenavn/Fæðingarnafn/Sünninimi/Dzimtais vārds/Mergautinė pavardė/Rojstni priimek/Kunjom xebba
Remarks/Remarques/Anmerkungen/Observaciones/Annotazioni/Observações/Opmerkingen/Uwagi/Poznámky/Anmärkningar/Huomautuksia/Açıklamalar/Observații/Napomene/Megjegyzés/Záznamy/Bemærkninger/Athugasemdir/Märkused/Piezīmes/Pastabos/Opombe/Rimarki""".split("\n")]
SHORT = """DOB ISS EXP DLN DL LN FN SEX EYES HGT WGT HAIR CLASS END REST DD CLASS: RESTR NONE DONOR VETERAN ORGAN_DONOR NAME ADDRESS DUP ID LIC# NO. DRIVER_LICENSE DRIVER'S_LICENCE IDENTIFICATION_CARD LIMITED_TERM
REAL_ID NOT_FOR_FEDERAL_IDENTIFICATION USA SS# CUSTOMER_IDENTIFIER AUDIT REV BRO BLU GRN HAZ BLK GRY M F X""".split()
SHORT = [s.replace("_", " ") for s in SHORT]
NUMBERED = "1. 2. 3. 4a. 4b. 4c. 4d. 5. 6. 7. 8. 9. 10. 11. 12. 4a 4b 4c 4d 1 2 3 5 8 9 9a 15 16 18 19 9a. 12a.".split()
CATEGORIES = "AM A1 A2 A B1 B BE B96 C1 C1E C CE D1 D1E D DE T L M f k l n p q".split()
MONTHS = """JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC AOÛT JUIN JUIL FÉV DÉC MAI OKT DEZ MÄR ENE ABR AGO DIC GEN MAG GIU LUG SET OTT FEV OUT STY LUT KWI MAJ CZE LIP SIE WRZ PAŹ LIS GRU MRT MEI JAN. FÉVR. AVR. AVRIL SEPT.
OCAK ŞUB TEM AĞU EYL EKİ KAS ARA January February March April June July August September October November December janvier février mars avril mai juin juillet août septembre octobre novembre décembre Januar Februar März Mai Juni
Juli Oktober Dezember enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre stycznia lutego marca kwietnia maja czerwca
lipca sierpnia września października listopada grudnia maart mei juni juli""".split()
PARTICLES = "de la von van der den het da do dos di del le du af av zu bin al el ben O' D' L' Mac Mc ter y e i te ten van't".split()
# A Vietnamese syllable: how it begins, and how it goes on. A stop at its end allows two tones alone.
ONSETS = "b c ch d đ g gi h k kh l m n ng ngh nh p ph qu r s t th tr v x".split() + [""]
RIMES = """a ac ach ai am an ang anh ao ap at au ay ăc ăm ăn ăng ăp ăt âc âm ân âng ât âu ây e em en eo et ê êch ên ênh êt êu i ia ich iêm iên iêng iêp iêt iêu im in inh it iu o oa oai oan oang oc oi
om on ong ot ô ôc ôi ôm ôn ông ôp ôt ơ ơi ơm ơn ơp ơt u ua uân uê ui um un ung uôc uôi uôn uông ut uy uyên uyêt uynh ư ưa ưc ưng ươc ươi ươm ươn ương ươt ưu y yên yêu""".split()
STREETS = "Street Road Avenue Lane rue_de_la rue_du avenue_des Straße Gasse Weg Platz Allee Calle Plaza Avenida_de Via Piazza_del Corso Rua_da Travessa ulica ul. aleja straat laan plein utca tér náměstí gatan vägen gade vej Str. Bd. Ave St Dr Blvd Ct Cad. Sok. Mah.".split()
OFFICES = """HM Passport Office/Préfecture de/Landratsamt/Stadt/Bürgeramt/Ministerio del Interior/Ministero Affari Esteri/Comune di/Câmara Municipal de/Burg. van/Prezydent Miasta/Wojewoda/Starosta Powiatu/Městský úřad/MINISTERSTVO VNITRA/Polismyndigheten/Poliisi/Ministarstvo unutarnjih poslova/Belügyminisztérium/Bezirkshauptmannschaft/Ville de/Consulat général de France/Department of State/DVLA/MAIRIE DE/Passport Canada/S.P.C.L.E.P./SPCEP/Kaymakamlığı/PU/Sous-préfecture de/Police du/Politsei- ja Piirivalveamet/Migrationsverket/Udlændingestyrelsen/Þjóðskrá Íslands""".split("/")


def table(name):
    """Rows of a table that training pages are printed from: the cells before the last, and the texts of the last. None of them is on a document of
    the set that facts are measured on (bench/reading/relaid/apart_test.go)."""
    with open(os.path.join(HERE, "..", "..", "bench", "reading", "relaid", name + ".tsv"), encoding="utf-8") as f:
        cells = [row.rstrip("\n").split("\t") for row in f if row.strip() and not row.startswith("#")]
    rows = [(row[:-1], [t for t in row[-1].split(";") if t and set(t.replace("Ð", "Đ")) <= set(ALPHABET)]) for row in cells]
    return [(key, texts) for key, texts in rows if texts]


FIELDS = {}  # fact → its names in one language each
for (_, fact), texts in table("labels"):
    FIELDS.setdefault(fact, []).append(texts)
TITLES = [t for _, texts in table("titles") for t in texts]
COMMON = {sense: texts for (sense,), texts in table("common")}  # given, family, place, office
COMMON_SHARE = 0.35  # of names, places and offices, and of labels, that are these


def accent(rng, w, language, share=0.22):
    """The word with letters of the language in place of plain ones. Case is kept."""
    known = ACCENTS[language]
    if not known:
        return w
    out = []
    for c in w:
        fitting = [a for a in known if BASE.get(a) == c.lower()] if rng.random() < share else ()
        a = pick(rng, fitting) if fitting else c
        out.append(a if a == c or c.islower() else upper(a))
    return "".join(out)


def syllable(rng):
    """One Vietnamese syllable, in small letters. Its tone stands on the vowel that bears another mark, else on the first one."""
    rime = pick(rng, RIMES)
    tone = pick(rng, (1, 5)) if rime.endswith(("c", "ch", "p", "t")) else int(rng.integers(len(TONES)))
    at = max((i for i, c in enumerate(rime) if not c.isascii()), default=0)
    return pick(rng, ONSETS) + rime[:at] + TONED[rime[at]][tone] + rime[at + 1 :]


def upper(s):
    """Upper case as documents print it: one letter for each."""
    return s.replace("ß", "ẞ").upper() if len(s.upper()) != len(s) else s.upper().replace("Ð", "Đ")


def title(s):
    """First letters of words upper, all others lower."""
    return "".join((upper(c) if i == 0 or not s[i - 1].isalpha() and s[i - 1] != "'" or s[i - 2 : i] in ("D'", "O'") else c.lower() if len(c.lower()) == 1 else "i") for i, c in enumerate(s))


def word(rng, language=None, known=mrztext.SURNAMES):
    """One upper-case word with diacritics of a language."""
    language = language or rng.choice(LANGUAGES, p=WEIGHT)
    if READER == VIETNAMESE and language == "vi" and rng.random() < 0.75:
        return upper(" ".join(syllable(rng) for _ in range(rng.integers(1, 3))))
    return accent(rng, mrztext.word(rng, known), language, rng.choice([0.1, 0.25, 0.6]))


def cased(rng, s):
    kind = rng.random()
    return upper(s) if kind < 0.55 else title(s) if kind < 0.9 else s.lower() if kind < 0.95 else s


def names(rng):
    l = rng.choice(LANGUAGES, p=WEIGHT)
    kind = rng.random()
    given = [word(rng, l, mrztext.GIVEN) for _ in range(rng.integers(1, 4))]
    sur = [word(rng, l) for _ in range(1 + (rng.random() < 0.25))]
    joint = "-" if rng.random() < 0.3 else " "
    if rng.random() < COMMON_SHARE:
        given, sur = [pick(rng, COMMON["given"]) for _ in given], [pick(rng, COMMON["family"]) for _ in sur]
    if rng.random() < 0.05:  # an apostrophe within: Floc'h, N'Diaye
        i = int(rng.integers(1, max(2, len(sur[0]))))
        sur[0] = sur[0][:i] + "'" + sur[0][i:]
    elif rng.random() < 0.2:
        p = pick(rng, PARTICLES)
        sur[0] = p + ("" if p.endswith("'") or p in ("Mac", "Mc") else " ") + (sur[0] if p.endswith("'") else title(sur[0]))
    a, b = joint.join(given), joint.join(sur)
    s = a if kind < 0.3 else b if kind < 0.6 else b + pick(rng, [" ", ", ", ","]) + a if kind < 0.85 else a + " " + b
    if rng.random() < 0.06:
        s += pick(rng, [" Jr.", " JR", " III", " (M.)", " ép. " + title(word(rng, l)), " geb. " + title(word(rng, l)), " née " + word(rng, l), " z d. " + title(word(rng, l)), " Dr.", " M", " Mme"])
    return cased(rng, s)


def date(rng):
    d, m, y = int(rng.integers(1, 32)), int(rng.integers(1, 13)), int(rng.integers(1920, 2045))
    if rng.random() < 0.03:
        y += 543
    kind = rng.random()
    sep = pick(rng, "../- .")
    year = f"{y}" if rng.random() < 0.75 else f"{y % 100:02d}"
    if kind < 0.4:
        return f"{d:02d}{sep}{m:02d}{sep}{year}"
    if kind < 0.52:
        return f"{m:02d}/{d:02d}/{y}"
    if kind < 0.6:
        return f"{y}{pick(rng, '-./')}{m:02d}-{d:02d}".replace("/", "-") if rng.random() < 0.7 else f"{y}.{m:02d}.{d:02d}."
    name = pick(rng, MONTHS)
    if kind < 0.78:
        two = f"/{pick(rng, MONTHS)}" if rng.random() < 0.4 else ""
        gap = pick(rng, [" ", " ", "", "-"])
        return f"{d:02d}{gap}{upper(name)}{upper(two)}{gap}{year}"
    if kind < 0.92:
        return f"{d}{pick(rng, ['. ', ' ', ' de ', 'er ', 'th '])}{name} {y}"
    if kind < 0.96:
        return f"{name} {d}, {y}"
    return f"{date(rng)}{pick(rng, ['-', ' - ', ' '])}{date(rng)}"


def letters(rng):
    """Letters of a document's number: mostly without those that issuers leave out because they are taken for digits."""
    return LETTERS if rng.random() < 0.15 else "ABCDEFGHJKLMNPRSTUVWXYZ"


def number(rng):
    kind = rng.random()
    n = int(rng.integers(5, 14))
    if kind < 0.25:
        return mrztext.number(rng, 9).rstrip("<")
    if kind < 0.4:
        return chars(rng, DIGITS, n)
    if kind < 0.6:
        return chars(rng, DIGITS + letters(rng), n)
    if kind < 0.7:
        return chars(rng, letters(rng), rng.integers(1, 4)) + pick(rng, [" ", "-", ""]) + chars(rng, DIGITS, n)
    if kind < 0.82:
        return pick(rng, [" ", "-", ".", "/"]).join(chars(rng, DIGITS, rng.integers(2, 5)) for _ in range(rng.integers(2, 6)))
    if kind < 0.9:
        return pick(rng, ["N° ", "Nº ", "No. ", "Nr. ", "NO ", "#", "n. ", "N.º "]) + chars(rng, DIGITS + "ABCX", n)
    return pick(rng, [f"{rng.integers(1, 3)}.{rng.integers(40, 99)} m", f"{rng.integers(1, 3)},{rng.integers(40, 99)} m", f"{rng.integers(140, 210)} cm", f"{rng.integers(4, 7)}'-{rng.integers(0, 12):02d}\"", f"{rng.integers(4, 7)}'{rng.integers(0, 12)}\"", f"{rng.integers(90, 290)} lb", f"{rng.integers(45, 140)} kg", f"{rng.integers(0, 100)}%", f"€ {rng.integers(1, 99)},{rng.integers(10, 99)}", f"§ {rng.integers(1, 99)}", f"{rng.integers(1, 99)} + {rng.integers(1, 99)} = {rng.integers(1, 199)}", f"B*{rng.integers(1, 99)} & C", f"{rng.integers(1, 99)}°{rng.integers(1, 60)}'", f"1ª / {rng.integers(2, 9)}º"])


def label(rng):
    kind = rng.random()
    count = 1 if kind < 0.5 else 2 if kind < 0.85 else 3
    if READER == VIETNAMESE and rng.random() < 0.4:
        phrase = " ".join(syllable(rng) for _ in range(rng.integers(1, 5)))
        return finished(rng, [phrase[0].upper() + phrase[1:]] + [pick(rng, LABELS)[0] for _ in range(count - 1)])
    if rng.random() < COMMON_SHARE:
        known = FIELDS[pick(rng, list(FIELDS))]
        return finished(rng, [pick(rng, pick(rng, known)) for _ in range(count)])
    row = pick(rng, LABELS)
    first = int(rng.integers(8)) if rng.random() < 0.7 else int(rng.integers(len(row)))
    return finished(rng, [row[first]] + [row[int(rng.integers(8)) if rng.random() < 0.7 else int(rng.integers(len(row)))] for _ in range(count - 1)])


def finished(rng, chosen):
    """A label in one or more languages: joined, cased, numbered, perhaps with the value behind it."""
    s = pick(rng, ["/", "/", "/", " / ", " / ", "/ ", " ", " - ", ", ", " | ", " · ", " · "]).join(chosen)
    kind = rng.random()
    s = upper(s) if kind < 0.3 else s.lower() if kind < 0.4 else s
    if rng.random() < 0.15:
        s = pick(rng, NUMBERED) + " " + s
    if rng.random() < 0.08:
        s = f"({rng.integers(1, 20)}) " + s
    if rng.random() < 0.15:
        s += pick(rng, [":", " :", ".", ": "]).rstrip() if rng.random() < 0.6 else ": " + pick(rng, [names, date, number])(rng)
    return s


def licence(rng):
    """Fields of driving licences: numbered, lettered, categories."""
    kind = rng.random()
    if kind < 0.4:
        return pick(rng, NUMBERED) + pick(rng, [" ", " ", ""]) + pick(rng, [names, date, number, place, office])(rng)
    if kind < 0.55:
        return "/".join(str(c) for c in rng.permutation(CATEGORIES)[: rng.integers(2, 9)]) if rng.random() < 0.5 else " ".join(str(c) for c in rng.permutation(CATEGORIES)[: rng.integers(2, 9)])
    if kind < 0.8:
        return pick(rng, ["", "", "4d ", "3 ", "4b ", "15 ", "9 ", "16 ", "18 "]) + pick(rng, SHORT) + pick(rng, [" ", ": ", ":", ""]) + pick(rng, ["", date(rng), number(rng), pick(rng, SHORT)])
    return pick(rng, SHORT)


def place(rng):
    l = rng.choice(LANGUAGES, p=WEIGHT)
    s = pick(rng, COMMON["place"]) if rng.random() < COMMON_SHARE else accent(rng, pick(rng, PLACES), l, 0.3) if rng.random() < 0.6 else word(rng, l)
    kind = rng.random()
    if kind < 0.2:
        s += f" ({pick(rng, ['FRANCE', chars(rng, LETTERS, 2), chars(rng, DIGITS, 2), pick(rng, COUNTRIES)])})"
    elif kind < 0.35:
        s += pick(rng, [", ", " / ", " "]) + pick(rng, COUNTRIES)
    elif kind < 0.45:
        s = pick(rng, COUNTRIES)
    return cased(rng, s)


def address(rng):
    l = rng.choice(LANGUAGES, p=WEIGHT)
    kind = rng.random()
    street, name = pick(rng, STREETS).replace("_", " "), title(word(rng, l))
    nr = f"{rng.integers(1, 300)}{pick(rng, ['', '', '', 'a', 'B', ' bis', '/' + str(rng.integers(1, 30))])}"
    if kind < 0.25:
        s = f"{nr}{pick(rng, [' ', ', '])}{street} {name}"
    elif kind < 0.5:
        s = f"{street} {name} {nr}" if rng.random() < 0.5 else f"{name}{street.lower()} {nr}"
    elif kind < 0.75:
        s = f"{pick(rng, ['', '', 'D-', 'F-', 'CH-', 'L-'])}{chars(rng, DIGITS, rng.integers(4, 6))} {accent(rng, pick(rng, PLACES), l)}"
    elif kind < 0.85:
        s = f"{title(pick(rng, PLACES))}, {chars(rng, LETTERS, 2)} {chars(rng, DIGITS, 5)}" + (f"-{chars(rng, DIGITS, 4)}" if rng.random() < 0.3 else "")
    else:
        s = f"{chars(rng, LETTERS, 2)}{rng.integers(1, 30)} {rng.integers(1, 10)}{chars(rng, LETTERS, 2)}" if rng.random() < 0.5 else f"{chars(rng, DIGITS, 2)}-{chars(rng, DIGITS, 3)} {accent(rng, pick(rng, PLACES), l)}"
    return cased(rng, s) if rng.random() < 0.6 else s


def office(rng):
    if rng.random() < COMMON_SHARE:
        return cased(rng, pick(rng, COMMON["office"]))
    s = pick(rng, OFFICES) + (" " + cased(rng, accent(rng, pick(rng, PLACES), rng.choice(LANGUAGES, p=WEIGHT))) if rng.random() < 0.6 else "")
    return upper(s) if rng.random() < 0.3 else s


def heading(rng):
    a = pick(rng, COUNTRIES)
    s = a if rng.random() < 0.5 else pick(rng, ["REPUBLIC OF ", "RÉPUBLIQUE ", "BUNDESREPUBLIK ", "REPÚBLICA ", "REPUBBLICA ", "RZECZPOSPOLITA ", "KINGDOM OF ", "EUROPEAN UNION ", "UNION EUROPÉENNE ", "STATE OF "]) + a
    if rng.random() < 0.25:
        s += " " + (pick(rng, TITLES) if rng.random() < 0.5 else pick(rng, pick(rng, LABELS[11:15])))
    return cased(rng, s) if rng.random() < 0.5 else s


def prose(rng):
    """Several words of no sense in one language, with punctuation."""
    l = rng.choice(LANGUAGES, p=WEIGHT)
    out = []
    for _ in range(rng.integers(2, 9)):
        w = word(rng, l, PLACES).lower() if rng.random() < 0.8 else pick(rng, pick(rng, LABELS))
        kind = rng.random()
        out.append(w + "," if kind < 0.1 else w + "." if kind < 0.16 else f"({w})" if kind < 0.2 else f'"{w}"' if kind < 0.22 else w + ";" if kind < 0.24 else f"«{w}»" if kind < 0.26 else w + pick(rng, "!?") if kind < 0.28 else w)
    s = " ".join(out)
    return s if rng.random() < 0.4 else s[:1].upper() + s[1:] if len(s[:1].upper()) == 1 else s


def noise(rng):
    """No language: any characters, so that the reader reads and does not guess."""
    kind, out = rng.random(), []
    for _ in range(rng.integers(1, 5)):
        n = rng.integers(1, 10)
        out.append(
            chars(rng, ALPHABET[:94], n) if kind < 0.25
            else chars(rng, LETTERS + LETTERS.lower() + DIGITS, n) if kind < 0.45
            else chars(rng, SPECIAL, n) if kind < 0.65
            else "".join(pick(rng, SPECIAL) if rng.random() < 0.35 else pick(rng, LETTERS + LETTERS.lower()) for _ in range(n)) if kind < 0.85
            else "".join(pick(rng, pick(rng, ["0OoQDĐ", "1Il|i!ıÍìj", "8B3", "5Ss$", "2Zz", "rnm", "cltd", "vvw", ".,:;'", "uüúűū", "oöóőō", "aäáàâãå", "eéèêëėęě", "SŞȘŠŚ", "tţțť", "cçćč", "iíìîï", "-_=~·.", ".·'°"])) for _ in range(n)))
    return " ".join(out)


def tiny(rng):
    return pick(rng, [pick(rng, "MFXWK"), pick(rng, ["M/M", "F/F", "M / H", "K/F", "F", "M", "X", "Ž/F", "N/F", "M/ M"]), chars(rng, LETTERS, rng.integers(1, 4)), chars(rng, DIGITS, rng.integers(1, 4)), pick(rng, NUMBERED), pick(rng, mrztext.STATES), pick(rng, ["P", "PA", "ID", "D", "UTO", "PASS"]), pick(rng, SHORT), chars(rng, SPECIAL, 1)])


KINDS = ((0.25, names), (0.38, label), (0.49, date), (0.60, number), (0.67, place), (0.73, address), (0.77, office), (0.80, heading), (0.86, licence), (0.90, prose), (0.96, noise), (1.01, tiny))
KNOWN = set(ALPHABET)


def line(rng):
    """Text of one line: 1 to 70 characters of the alphabet, no space at the ends, no two spaces together."""
    while True:
        r = rng.random()
        s = next(make for upto, make in KINDS if r < upto)(rng)
        if rng.random() < 0.04:
            s += " " + next(make for upto, make in KINDS if rng.random() < upto)(rng)
        s = " ".join("".join(c for c in s.replace("Ð", "Đ") if c in KNOWN).split())[:70].strip()
        if s:
            return s
