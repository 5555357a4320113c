"""Invents the text of one printed line of an identity document in Cyrillic or Greek, alone or beside Latin print: the counterpart of words.py for text-line-cyrillic-greek.

A word is of one script. Words come from common names and places, from the beginnings and endings of names and from random letters, so that the reader
reads and does not guess. `line(rng)` gives text of the reader's alphabet only.
"""

import unicodedata

import words as latin
from line import ALPHABET
from mrztext import DIGITS, chars, pick
from twins import TWIN

RUSSIAN = "абвгдежзийклмнопрстуфхцчшщъыьэюя" + "ё"
# Each language's letters and how often it is drawn.
LETTERS = {
    "ru": (RUSSIAN, 4.0), "uk": ("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", 3.0), "be": ("абвгдеёжзійклмнопрстуўфхцчшыьэюя", 1.0), "bg": ("абвгдежзийклмнопрстуфхцчшщъьюя", 2.0),
    "sr": ("абвгдђежзијклљмнњопрстћуфхцчџш", 1.5), "mk": ("абвгдѓежзѕијклљмнњопрстќуфхцчџш", 1.0), "kk": (RUSSIAN + "әғқңөұүһі", 1.0), "ky": (RUSSIAN + "ңөү", 0.6),
    "tg": (RUSSIAN + "ғӣқӯҳҷ", 0.6), "mn": (RUSSIAN + "өү", 0.6), "el": ("αβγδεζηθικλμνξοπρστυφχψω" + "άέήίόύώ", 4.0), "gr": ("αβγδεζηθικλμνξοπρστυφχψω", 2.0),
}
LANGUAGES = list(LETTERS)
WEIGHT = [w / sum(w for _, w in LETTERS.values()) for _, w in LETTERS.values()]
GREEK = ("el", "gr")
SPECIAL = [c for c in ALPHABET if ord(c) > 0x370]
CYRILLIC = [c for c in SPECIAL if "Ѐ" <= c <= "ӿ"]
HELLENIC = [c for c in SPECIAL if c < "Ѐ"]

SLAVIC_GIVEN = """александр алексей анатолий андрей антон артём борис вадим валентин василий виктор виталий владимир вячеслав геннадий георгий григорий дмитрий евгений егор иван игорь илья кирилл константин
лев леонид максим марк михаил никита николай олег павел пётр роман руслан семён сергей станислав степан тимур фёдор эдуард юрий яков ярослав алина алла анастасия анна валентина валерия вера виктория галина дарья
екатерина елена жанна зинаида зоя инна ирина ксения лариса лидия любовь людмила маргарита марина мария надежда наталья нина оксана ольга полина раиса светлана софья тамара татьяна ульяна эльвира юлия
богдан остап тарас мирослава оксана соломія зоряна назар данило пилип любомир катерина йосип юхим єва ігор ірина їжакевич деян драган небојша милош љубица његош ђорђе зоран вељко снежана марко
петър тодор стоян красимир десислава ивайло цветелина борислав йордан ангел живко калоян асен симеон ѓорѓи ќирил лилјана билјана айгүл нұрлан ерлан әсел гүлнар бекзат қайрат жанар мөнхбат сүхбат фаррух гулҷаҳон""".split()
SLAVIC_STEMS = """иван петр сидор смирн кузнец поп васил соколов михайл нов фёдор мороз волк алексе лебед семён егор павл козл степан никол орл андре макар никит захар зайц соловь борис яковл григор роман воробь серге
куз фрол александр дмитри корол гус кисел иль максим поляк сорок виноград ковал бел медвед антон тарас жук баран филипп комар давыд беля герас богдан осип сид матве тит марк миронов крыл куликов карп власов мельник
шевч бондар кравч олійн ткач лис савч руденк петр мороз гонч хомен кобилянськ щерб стан димитр георги тодор христ ангел стоян янк ђур јован стојан милош петров никол љуб његуш ћос шкрб""".split()
SLAVIC_ENDINGS = "ов ова ев ева ин ина ын ский ская цкий цкая ко енко чук юк ак ик ська ський ич вић евић овић ски ска ев ева хан улы қызы ово ец ян".split()
PATRONYMIC = "ович овна евич евна ич инична івна йович ьевич".split()
SLAVIC_PLACES = """москва санкт-петербург новосибирск екатеринбург нижний_новгород казань челябинск омск самара ростов-на-дону уфа красноярск пермь воронеж волгоград саратов тюмень ижевск барнаул ульяновск иркутск хабаровск
ярославль владивосток махачкала томск оренбург кемерово рязань астрахань пенза киров липецк чебоксары калининград тула курск сочи ставрополь тверь брянск иваново белгород сургут владимир архангельск чита смоленск
київ харків одеса дніпро запоріжжя львів кривий_ріг миколаїв вінниця чернігів черкаси житомир суми рівне тернопіль івано-франківськ луцьк ужгород мінск гомель магілёў віцебск гродна брэст софия пловдив варна бургас
русе стара_загора плевен сливен добрич шумен перник хасково ямбол пазарджик благоевград велико_търново београд нови_сад ниш крагујевац суботица зрењанин панчево чачак краљево скопје битола куманово прилеп тетово охрид
велес штип алматы астана шымкент қарағанды ақтөбе тараз павлодар өскемен бишкек ош душанбе хуҷанд улаанбаатар дархан эрдэнэт тбилиси ереван баку ташкент""".split()
REGIONS = "гор. г. м. с. дер. пос. обл. область край район р-н респ. республика московской ленинградской київська область обл. гр. общ. општина облысы аймаг".split()
SLAVIC_COUNTRIES = """российская_федерация россия ссср україна ukraine беларусь рэспубліка_беларусь республика_беларусь българия република_българия србија република_србија македонија република_северна_македонија
қазақстан_республикасы республика_казахстан кыргыз_республикасы ҷумҳурии_тоҷикистон монгол_улс црна_гора босна_и_херцеговина армения грузия молдова узбекистан азербайджан латвия литва эстония""".split()

GREEK_GIVEN = """γεώργιος ιωάννης κωνσταντίνος δημήτριος νικόλαος παναγιώτης βασίλειος χρήστος αθανάσιος μιχαήλ ευάγγελος σπυρίδων αντώνιος αναστάσιος θεόδωρος ανδρέας χαράλαμπος αλέξανδρος εμμανουήλ ηλίας σταύρος πέτρος
φώτιος στυλιανός λάζαρος τηλέμαχος οδυσσέας αχιλλέας ξενοφών ζήσης μαρία ελένη αικατερίνη βασιλική σοφία αγγελική γεωργία ευαγγελία δήμητρα ιωάννα κωνσταντίνα παναγιώτα αναστασία ευθυμία ειρήνη χρυσούλα αθηνά
αθανασία δέσποινα θεοδώρα ζωή άννα στυλιανή ξένια ουρανία καλλιόπη ευτυχία φωτεινή όλγα έλλη ήβη ύψιστος ώριον""".split()
GREEK_STEMS = """παπαδ νικολα δημητρ γεωργ ιωανν κωνσταντιν αθανασ αντων οικονομ μακρ καρα χατζη παναγιωτ βασιλ αλεξ μιχαηλ σταμ ευαγγελ παυλ χριστ σωτηρ ψαρ ξανθ ζαχαρ θεοδωρ φωτ βλαχ ρηγ λαμπρ τσακ μπακ ντιν γκιων""".split()
GREEK_ENDINGS = "όπουλος οπούλου ίδης ίδου άκης άκη άκου ιάδης έας ής ού ος ου άς α ης η ων".split()
GREEK_PLACES = """αθήνα θεσσαλονίκη πάτρα ηράκλειο λάρισα βόλος ιωάννινα καβάλα χανιά ρόδος σέρρες χαλκίδα καλαμάτα λαμία κοζάνη δράμα ξάνθη κομοτηνή αλεξανδρούπολη τρίκαλα βέροια κόρινθος τρίπολη σπάρτη άργος ναύπλιο
κέρκυρα μυτιλήνη χίος σάμος πειραιάς περιστέρι καλλιθέα νίκαια γλυφάδα μαρούσι λευκωσία λεμεσός λάρνακα πάφος αμμόχωστος ζωγράφου ψυχικό ύδρα ωρωπός όλυμπος ήπειρος""".split()
GREEK_COUNTRIES = "ελληνική_δημοκρατία ελλάδα ελλάς κυπριακή_δημοκρατία κύπρος ευρωπαϊκή_ένωση γερμανία ιταλία αλβανία".split()

# One field a row: ru uk be bg sr mk kk el, and an English name that may follow.
LABELS = [l.split("/") for l in """Фамилия/Прізвище/Прозвішча/Фамилно име/Презиме/Презиме/Тегі/Επώνυμο/Surname
Имя/Ім'я/Імя/Собствено име/Име/Име/Аты/Όνομα/Given names
Имя/Власне ім'я/Уласнае імя/Име/Дато име/Лично име/Есімі/Κύριο όνομα/Name
Отчество/По батькові/Імя па бацьку/Презиме/Име оца/Татково име/Әкесінің аты/Όνομα πατρός/Father's name
Дата рождения/Дата народження/Дата нараджэння/Дата на раждане/Датум рођења/Датум на раѓање/Туған күні/Ημερομηνία γέννησης/Date of birth
Место рождения/Місце народження/Месца нараджэння/Място на раждане/Место рођења/Место на раѓање/Туған жері/Τόπος γέννησης/Place of birth
Пол/Стать/Пол/Пол/Пол/Пол/Жынысы/Φύλο/Sex
Гражданство/Громадянство/Грамадзянства/Гражданство/Држављанство/Државјанство/Азаматтығы/Ιθαγένεια/Nationality
Дата выдачи/Дата видачі/Дата выдачы/Дата на издаване/Датум издавања/Датум на издавање/Берілген күні/Ημερομηνία έκδοσης/Date of issue
Срок действия/Дійсний до/Тэрмін дзеяння/Валидност/Важи до/Важи до/Қолданылу мерзімі/Ημερομηνία λήξης/Date of expiry
Действителен до/Дата закінчення строку дії/Сапраўдны да/Валиден до/Рок важења/Датум на важење/Жарамды/Ισχύει έως/Valid until
Паспорт выдан/Орган, що видав/Орган, які выдаў/Издаден от/Издаје/Издадена од/Берген орган/Εκδούσα αρχή/Authority
Паспорт №/Паспорт №/Пашпарт №/Паспорт №/Број пасоша/Пасош број/Төлқұжат №/Αρ. διαβατηρίου/Passport No.
Номер документа/Документ №/Нумар дакумента/Номер на документа/Регистарски број/Регистарски број/Құжат нөмірі/Αριθμός δελτίου/Document No.
Код подразделения/Запис №/Ідэнтыфікацыйны нумар/ЕГН/ЈМБГ/ЕМБГ/ЖСН/Αριθμός μητρώου/Personal No.
Личный код/РНОКПП/Асабісты нумар/Личен номер/Матични број/Матичен број/Жеке коды/Α.Φ.Μ./Record No.
Место жительства/Місце проживання/Месца жыхарства/Постоянен адрес/Пребивалиште/Живеалиште/Тұрғылықты жері/Κατοικία/Address
Рост/Зріст/Рост/Ръст/Висина/Висина/Бойы/Ύψος/Height
Цвет глаз/Колір очей/Колер вачэй/Цвят на очите/Боја очију/Боја на очи/Көзінің түсі/Χρώμα ματιών/Colour of eyes
Личная подпись/Підпис/Подпіс/Подпис на притежателя/Потпис/Потпис/Қолы/Υπογραφή κατόχου/Signature of bearer
Тип/Тип/Тып/Тип/Врста/Тип/Түрі/Τύπος/Type
Код государства/Код держави/Код дзяржавы/Код на държавата/Код државе/Код на држава/Мемлекет коды/Κωδικός χώρας/Country code
Паспорт/Паспорт/Пашпарт/Паспорт/Пасош/Пасош/Төлқұжат/Διαβατήριο/Passport
Удостоверение личности/Посвідчення особи/Пасведчанне асобы/Лична карта/Лична карта/Лична карта/Жеке куәлік/Δελτίο ταυτότητας/Identity card
Водительское удостоверение/Посвідчення водія/Вадзіцельскае пасведчанне/Свидетелство за управление на МПС/Возачка дозвола/Возачка дозвола/Жүргізуші куәлігі/Άδεια οδήγησης/Driving licence
Вид на жительство/Посвідка на проживання/Від на жыхарства/Разрешение за пребиваване/Дозвола боравка/Дозвола за престој/Ықтиярхат/Άδεια διαμονής/Residence permit""".split("\n")]
SHORT = "МУЖ. ЖЕН. М Ж Ч М/M Ж/F Ч/M Ж/Ж Α Θ Α/M Θ/F ПОЛ УФМС ОВД МВД ГИБДД УВД ОТДЕЛОМ РАЙОНА МВР МУП ΑΤ ΑΔΤ ΕΛ ΔΣΑ СМ CM см".replace("CM", "см").split()
NUMBERED = latin.NUMBERED
SLAVIC_MONTHS = """января февраля марта апреля мая июня июля августа сентября октября ноября декабря янв фев мар апр май июн июл авг сен окт ноя дек січ лют бер кві тра чер лип сер вер жов лис гру січня лютого березня квітня
травня червня липня серпня вересня жовтня листопада грудня януари февруари март април юни юли август септември октомври ноември декември јан феб апр јун јул авг сеп окт нов дец""".split()
GREEK_MONTHS = "ιαν φεβ μαρ απρ μαϊ ιουν ιουλ αυγ σεπ οκτ νοε δεκ ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου".split()
SLAVIC_OFFICES = """ОТДЕЛОМ УФМС РОССИИ ПО/ОТДЕЛЕНИЕМ УФМС/ОВД/ГУ МВД РОССИИ ПО/МВД/ТП УФМС РОССИИ/Паспортным столом/ГИБДД/Управлінням ДМС/Міністерство внутрішніх справ/МВР/МВР София/МУП Р. СРБИЈЕ/ПУ за град/МВР - Скопје/ІІМ/ҚР ІІМ/УВД/
Райаддзел/Орган що видав/Министерство на вътрешните работи/Полицијска управа""".replace("\n", "").split("/")
GREEK_OFFICES = "ΑΡΧΗΓΕΙΟ ΕΛΛΗΝΙΚΗΣ ΑΣΤΥΝΟΜΙΑΣ/Υ.Α./Τ.Α./Α.Ε.Α./Δήμος/ΝΟΜΑΡΧΙΑ/Αστυνομικό Τμήμα/Υπουργείο Εσωτερικών/ΔΗΜΟΣ/Περιφέρεια".split("/")
SLAVIC_STREETS = "ул. улица вул. вулиця пр. проспект просп. бул. бульвар пер. пл. площадь наб. ж.к. бул. д. кв. корп.".split()
GREEK_STREETS = "οδός λεωφόρος λεωφ. πλατεία".split()
CONFUSED = ["оос0О", "зэ3З", "ишщцхж", "йиӣй", "ёеє", "іїі1l", "лпдЛПД", "ьъыЬЪЫ", "нпкН", "гтГТ", "әаөо", "қкҚК", "ңнҢН", "үуұ", "ћђЋЂ", "љњ", "ґг", "ўуӯ", "αάδό", "ιίϊΐ", "υύϋΰ", "ηήn", "οόσ", "νvυ", "ρρφ", "ωώ", "ξζς", "ΛΑΔ", "ΘΟ0", "ΣΕΞ", "ΆΑ", "ΉΗ"]


def language(rng):
    return str(rng.choice(LANGUAGES, p=WEIGHT))


def upper(s):
    """Capitals as documents print them. Greek ones are mostly without accents, which is left to the caller."""
    return "".join(c.upper() if len(c.upper()) == 1 else c for c in s)


def bare(s):
    """Greek without accents."""
    return s.translate(str.maketrans("άέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ", "αεηιουωιυιυΑΕΗΙΟΥΩΙΥ"))


def final(s):
    """Greek with its final sigma."""
    out = list(s)
    for i, c in enumerate(out):
        if c in "σς":
            out[i] = "σ" if i + 1 < len(out) and out[i + 1].isalpha() else "ς"
    return "".join(out)


def title(s):
    return "".join(upper(c) if i == 0 or not s[i - 1].isalpha() and s[i - 1] != "'" else c for i, c in enumerate(s))


def invented(rng, l, known, stems, endings):
    """One lower-case word of a language: a known one, a stem with an ending, or random letters of its alphabet."""
    kind, own = rng.random(), LETTERS[l][0]
    if kind < 0.35:
        w = pick(rng, known)
    elif kind < 0.7:
        w = pick(rng, stems) + pick(rng, endings)
    else:
        w = chars(rng, own, rng.integers(2, 12))
    # a word of another language of the script gets a few letters of this one, so that none of them is rare
    if rng.random() < 0.3:
        i = int(rng.integers(len(w)))
        w = w[:i] + pick(rng, own) + w[i + 1 :]
    w = w.replace("_", " ")
    return final(w) if l in GREEK else w


def word(rng, l=None):
    l = l or language(rng)
    return invented(rng, l, GREEK_GIVEN, GREEK_STEMS, GREEK_ENDINGS) if l in GREEK else invented(rng, l, SLAVIC_GIVEN, SLAVIC_STEMS, SLAVIC_ENDINGS)


def cased(rng, s):
    kind = rng.random()
    if kind < 0.6:
        return upper(bare(s)) if rng.random() < 0.85 else upper(s)
    return title(s) if kind < 0.92 else s


def names(rng):
    l, kind = language(rng), rng.random()
    given = [word(rng, l) for _ in range(1 + (rng.random() < 0.1))]
    if l not in GREEK and rng.random() < 0.35:
        given.append(pick(rng, SLAVIC_STEMS) + pick(rng, PATRONYMIC))
    sur = word(rng, l) + ("-" + word(rng, l) if rng.random() < 0.08 else "")
    a, b = " ".join(given), sur
    s = cased(rng, a if kind < 0.35 else b if kind < 0.65 else b + pick(rng, [" ", ", "]) + a if kind < 0.85 else a + " " + b)
    if rng.random() < 0.15:
        s += pick(rng, ["/", " / ", " "]) + latin.upper(latin.word(rng, "en"))
    return s


def date(rng):
    if rng.random() < 0.7:
        return latin.date(rng)
    d, y = int(rng.integers(1, 32)), int(rng.integers(1920, 2045))
    name = pick(rng, GREEK_MONTHS if rng.random() < 0.4 else SLAVIC_MONTHS)
    two = pick(rng, ["", "", "/" + pick(rng, latin.MONTHS[:12])])
    return f"{d:02d} {upper(name) if rng.random() < 0.6 else name}{two} {y}{pick(rng, ['', '', ' г.', ' р.', ' г', ' године'])}"


def letters(rng):
    return latin.letters(rng)


def number(rng):
    kind = rng.random()
    if kind < 0.6:
        return latin.number(rng)
    series = chars(rng, "АБВГДЕЖЗИКЛМНПРСТУФХЦЧШЭЮЯІЄ" if rng.random() < 0.6 else "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΠΡΣΤΥΦΧΨΩ", rng.integers(1, 4))
    return pick(rng, ["", "", "№ ", "№", "N "]) + whole(series) + pick(rng, [" ", " ", "-", "", " № "]) + chars(rng, DIGITS, rng.integers(5, 10))


def whole(s):
    """The letters of a number: Latin ones if each has a Latin twin, as no reader could tell."""
    t = s.translate(TWIN)
    return t if t.isascii() else s


def label(rng):
    row = pick(rng, LABELS)
    kind = rng.random()
    s = row[int(rng.integers(8))]
    if kind < 0.45:
        s += pick(rng, ["/", "/", " / ", " - ", " · ", " | ", " "]) + (row[8] if rng.random() < 0.8 else row[int(rng.integers(8))])
    elif kind < 0.52:
        s = row[8] + pick(rng, ["/", " / "]) + s
    s = upper(bare(s)) if rng.random() < 0.35 else s.lower() if rng.random() < 0.08 else s
    if rng.random() < 0.12:
        s = pick(rng, NUMBERED) + " " + s
    if rng.random() < 0.15:
        s += ":" if rng.random() < 0.6 else " " + pick(rng, [names, date, number])(rng)
    return s


def licence(rng):
    if rng.random() < 0.4:
        return latin.licence(rng)
    return pick(rng, NUMBERED) + pick(rng, [" ", " ", ""]) + pick(rng, [names, date, number, place, office])(rng)


def town(rng, l):
    some = GREEK_PLACES if l in GREEK else SLAVIC_PLACES
    return pick(rng, some).replace("_", " ") if rng.random() < 0.6 else word(rng, l)


def country(rng, l):
    return pick(rng, GREEK_COUNTRIES if l in GREEK else SLAVIC_COUNTRIES).replace("_", " ")


def place(rng):
    l, kind = language(rng), rng.random()
    s = town(rng, l)
    if kind < 0.35 and l not in GREEK:
        s = pick(rng, REGIONS) + " " + s + (pick(rng, [" ", ", "]) + town(rng, l) + " " + pick(rng, REGIONS) if rng.random() < 0.5 else "")
    elif kind < 0.5:
        s += pick(rng, [", ", " / ", " "]) + country(rng, l)
    elif kind < 0.6:
        s = country(rng, l)
    s = cased(rng, s)
    if rng.random() < 0.12:
        s += "/" + latin.upper(pick(rng, latin.PLACES))
    return s


def address(rng):
    l = language(rng)
    nr = f"{rng.integers(1, 300)}{pick(rng, ['', '', 'а', 'б', '/' + str(rng.integers(1, 30))])}"
    street = pick(rng, GREEK_STREETS if l in GREEK else SLAVIC_STREETS)
    s = f"{street} {title(word(rng, l))}{pick(rng, [' ', ', ', ' д. ', ' № '])}{nr}"
    if rng.random() < 0.5:
        s = f"{chars(rng, DIGITS, rng.integers(3, 7))}{pick(rng, [' ', ', '])}{title(town(rng, l))}, {s}"
    return upper(bare(s)) if rng.random() < 0.4 else s


def office(rng):
    l = language(rng)
    s = pick(rng, GREEK_OFFICES if l in GREEK else SLAVIC_OFFICES) + (" " + cased(rng, town(rng, l)) if rng.random() < 0.6 else "")
    return upper(bare(s)) if rng.random() < 0.4 else s


def heading(rng):
    l = language(rng)
    s = country(rng, l)
    if rng.random() < 0.4:
        s += pick(rng, [" ", " / "]) + (pick(rng, latin.COUNTRIES) if rng.random() < 0.5 else pick(rng, pick(rng, LABELS[-4:])))
    return upper(bare(s)) if rng.random() < 0.7 else title(s)


def prose(rng):
    l, out = language(rng), []
    for _ in range(rng.integers(2, 8)):
        w = word(rng, l) if rng.random() < 0.7 else pick(rng, pick(rng, LABELS))
        kind = rng.random()
        out.append(w + "," if kind < 0.1 else w + "." if kind < 0.16 else f"({w})" if kind < 0.2 else f'"{w}"' if kind < 0.22 else f"«{w}»" if kind < 0.26 else w)
    return title(" ".join(out)) if rng.random() < 0.2 else " ".join(out)


def noise(rng):
    """No language: letters of one script for each word, so that the reader reads and does not guess."""
    kind, out = rng.random(), []
    for _ in range(rng.integers(1, 5)):
        n = rng.integers(1, 10)
        some = CYRILLIC if rng.random() < 0.6 else HELLENIC
        out.append(
            chars(rng, ALPHABET[:94], n) if kind < 0.15
            else chars(rng, DIGITS + "".join(some), n) if kind < 0.3
            else chars(rng, some, n) if kind < 0.75
            else "".join(pick(rng, pick(rng, CONFUSED)) for _ in range(n)))
    return " ".join(out)


def tiny(rng):
    kind = rng.random()
    if kind < 0.4:
        return pick(rng, SHORT)
    return latin.tiny(rng) if kind < 0.7 else chars(rng, SPECIAL, rng.integers(1, 3))


def western(rng):
    """A line that is Latin altogether, as on every bilingual page."""
    return pick(rng, [latin.names, latin.label, latin.place, latin.number, latin.heading])(rng)


def accent(rng, w, l, share):
    """As words.accent: here a word of the language itself."""
    return word(rng, l)


ACCENTS = {l: own for l, (own, _) in LETTERS.items()}
KINDS = ((0.27, names), (0.42, label), (0.49, date), (0.56, number), (0.65, place), (0.70, address), (0.75, office), (0.79, heading), (0.81, licence), (0.86, prose), (0.91, noise), (0.95, western), (1.01, tiny))
KNOWN = set(ALPHABET)
PLAIN = str.maketrans({"’": "'", "–": "-", "—": "-"})


def line(rng):
    """Text of one line: 1 to 70 characters of the alphabet, no space at the ends, no two spaces together."""
    while True:
        r = rng.random()
        s = next(make for upto, make in KINDS if r < upto)(rng)
        s = " ".join("".join(c for c in latin_only(s).translate(PLAIN) if c in KNOWN).split())[:70].strip()
        if s:
            return s


def latin_only(s):
    """Latin letters without their marks, which this reader does not know."""
    return "".join(c if ord(c) < 0xC0 or c in KNOWN else unicodedata.normalize("NFD", c)[0] for c in s)
