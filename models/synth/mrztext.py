"""Invents the text of machine-readable lines by the grammars of ICAO 9303 (TD1, TD2, TD3, MRV-A, MRV-B) and of the French 2×36 card.

Names come from short lists of common given names and surnames of many languages and from syllables, joined at random: nobody in particular.
A part of the lines is deliberately not language at all (random characters), so that the reader learns to read and not to guess.
"""

DIGITS = "0123456789"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALPHABET = DIGITS + LETTERS + "<"  # class of a character = its index here + 1; 0 is the blank

STATES = """AFG ALB DZA AND AGO ARG ARM AUS AUT AZE BHS BHR BGD BRB BLR BEL BLZ BEN BTN BOL BIH BWA BRA BRN BGR BFA BDI KHM CMR CAN CPV CAF TCD CHL CHN COL
COM COG CRI CIV HRV CUB CYP CZE PRK COD DNK DJI DMA DOM ECU EGY SLV GNQ ERI EST SWZ ETH FJI FIN FRA GAB GMB GEO D GHA GRC GRD GTM GIN GNB GUY HTI HND HUN
ISL IND IDN IRN IRQ IRL ISR ITA JAM JPN JOR KAZ KEN KIR KWT KGZ LAO LVA LBN LSO LBR LBY LIE LTU LUX MDG MWI MYS MDV MLI MLT MHL MRT MUS MEX FSM MDA MCO MNG
MNE MAR MOZ MMR NAM NRU NPL NLD NZL NIC NER NGA MKD NOR OMN PAK PLW PAN PNG PRY PER PHL POL PRT QAT KOR ROU RUS RWA WSM SMR STP SAU SEN SRB SYC SLE SGP SVK
SVN SLB SOM ZAF SSD ESP LKA SDN SUR SWE CHE SYR TJK THA TLS TGO TON TTO TUN TUR TKM TUV UGA UKR ARE GBR TZA USA URY UZB VUT VEN VNM YEM ZMB ZWE UTO UNO EUE
RKS XOM XXA XXB GBD GBN HKG MAC TWN PSE""".split()

GIVEN = """ANNA MARIA ERIKA JOHN JAMES ROBERT MARY PATRICIA JENNIFER LINDA MICHAEL WILLIAM DAVID HANNAH EMMA LIAM NOAH OLIVIA AVA SOPHIA LUCAS MATEO SANTIAGO VALENTINA
CAMILA JOAO PEDRO BEATRIZ ANTONIO MANUEL JOSE CARMEN PILAR GIUSEPPE FRANCESCA ALESSANDRO CHIARA LORENZO JEAN PIERRE CAMILLE AMELIE BENOIT HUGO LEA LOUIS MATTHIAS
JUERGEN GUENTHER WOLFGANG URSULA KLAUS GRETA LARS SVEN INGRID BJOERN AASE SOEREN KAARINA AINO JUHANI PIRKKO TOOMAS KRISTJAN JANIS LIGA VYTAUTAS RASA ANDRZEJ
KATARZYNA WOJCIECH AGNIESZKA PIOTR JAKUB ZUZANA VACLAV MILOS TEREZA LASZLO KATALIN ISTVAN ZSUZSANNA ION ELENA GHEORGHE IOANA GEORGI DESISLAVA PETAR MARIJA LUKA
ANTE NIKOLAOS ELENI GEORGIOS AIKATERINI MEHMET AYSE MUSTAFA FATMA EMRE IVAN OLGA SERGEI ANASTASIIA DMITRII OLEKSANDR YULIIA MOHAMMED AHMED FATIMA AISHA YUSUF
HASSAN KHADIJA ABDULLAH ABDUL RAHMAN NOOR ZAINAB ALI REZA MARYAM HOSSEIN RAJESH PRIYA SANJAY ANJALI ARJUN DEEPIKA MUHAMMAD IMRAN SADIA NUSRAT THARINDU WEI LI NA
XIAOMING JING YAN HIROSHI YUKO SAKURA KENJI MIN JUN SEOYEON JIHOON NGUYEN THI VAN ANH SOMCHAI SIRIPORN PUTRI BUDI SITI KWAME AMA CHIDI NGOZI OLUWASEUN ADEBAYO
THABO NOMSA TESFAYE ALMAZ AMINATA MAMADOU JEANNE AARON ISAAC LILLI OTTO BOBBI PHILIPPA EMMANUELLE GABRIELLA ANNETTE COLLEEN QUYNH XAVIER ZOE""".split()

SURNAMES = """SMITH JONES TAYLOR BROWN WILLIAMS WILSON JOHNSON DAVIES MILLER MOORE HILL SCOTT KELLY BENNETT ROSS WOODS RUSSELL MURPHY OBRIEN MCDONALD MUELLER SCHMIDT
SCHNEIDER FISCHER WEBER MEYER WAGNER BECKER SCHULZ HOFFMANN SCHAEFER KOCH BAUER RICHTER KLEIN WOLF SCHROEDER NEUMANN MUSTERMANN GARCIA RODRIGUEZ MARTINEZ
HERNANDEZ LOPEZ GONZALEZ PEREZ SANCHEZ RAMIREZ TORRES FLORES NUNEZ PENA IBANEZ SILVA SANTOS OLIVEIRA SOUZA FERREIRA ALVES COSTA ROSSI RUSSO FERRARI ESPOSITO
BIANCHI COLOMBO RICCI GALLO MARTIN BERNARD DUBOIS THOMAS PETIT RICHARD DURAND LEROY MOREAU LEFEBVRE BONNET ROUSSEAU JANSEN DEVRIES VANDENBERG BAKKER VISSER
PEETERS MAES JANSSENS ANDERSSON JOHANSSON KARLSSON NILSSON HANSEN OLSEN LARSEN NIELSEN JENSEN KORHONEN VIRTANEN MAEKINEN TAMM SAAR BERZINS KALNINS KAZLAUSKAS
NOWAK KOWALSKI WISNIEWSKI WOJCIK LEWANDOWSKI NOVAK SVOBODA DVORAK HORVATH NAGY KOVACS SZABO TOTH POPESCU IONESCU POPA IVANOV PETROV DIMITROV JOVANOVIC
PETROVIC HORVAT PAPADOPOULOS NIKOLAIDIS YILMAZ KAYA DEMIR SAHIN SMIRNOV KUZNETSOV POPOV SHEVCHENKO KOVALENKO BONDARENKO ALI KHAN HUSSEIN AHMED ALSAYED
ALHARBI BINSALEH HADDAD NASSER REZAEI HOSSEINI SINGH KUMAR SHARMA PATEL GUPTA REDDY DAS CHOWDHURY RAHMAN PERERA FERNANDO WANG LI ZHANG LIU CHEN YANG HUANG
ZHAO WU ZHOU SATO SUZUKI TAKAHASHI TANAKA WATANABE ITO KIM LEE PARK CHOI NGUYEN TRAN LE PHAM HOANG SUWAN WIBOWO MENSAH OWUSU OKAFOR ADEYEMI NKOSI DLAMINI
TADESSE DIALLO TRAORE NDIAYE ABBAS ERIKSSON HOLLAND QUINN ZIMMERMANN XU OOSTERHOUT AALTONEN LLOYD BOSSI PIZZINNI MATTSSON""".split()

SYLLABLES = "BA BE BI BO CA CHE CO DA DE DI DO FA FE GA GO HA HE HI JA JO KA KE KI KO LA LE LI LO MA ME MI MO NA NE NI NO OLA PA PE RA RE RI RO SA SE SHI SO TA TE TI TO TSU UL VA VI WA XI YA YU ZA ZE ZO NN LL SS TT RR MM AN EN IN ON AR ER OR".split()
CONFUSED = ["0O", "1I", "8B", "5S", "2Z", "6G", "OQD0", "VY", "MN", "UV", "KX", "CG", "<K", "<C", "<L", "EF", "PR", "7T", "IJ", "1L", "4A", "HN", "WM"]

WEIGHTS = (7, 3, 1)


def check_digit(s):
    """Check digit of ICAO 9303-3 §4.9 as a character."""
    value = {c: i for i, c in enumerate(DIGITS + LETTERS)}
    return str(sum(value.get(c, 0) * WEIGHTS[i % 3] for i, c in enumerate(s)) % 10)


def pick(rng, s):
    return s[rng.integers(len(s))]


def chars(rng, alphabet, n):
    return "".join(pick(rng, alphabet) for _ in range(n))


def word(rng, known):
    """One name: known, of syllables, with a letter doubled, or of random letters."""
    kind = rng.random()
    if kind < 0.6:
        w = pick(rng, known)
    elif kind < 0.85:
        w = "".join(pick(rng, SYLLABLES) for _ in range(rng.integers(1, 6)))
    else:
        w = chars(rng, LETTERS, rng.integers(1, 13))
    if rng.random() < 0.15:
        i = rng.integers(len(w))
        w = w[:i] + w[i] + w[i:]
    return w


def name_field(rng, n):
    """Surname<<given<names padded (or cut) to n characters."""
    sur = "<".join(word(rng, SURNAMES) for _ in range(1 + (rng.random() < 0.2) + (rng.random() < 0.05)))
    given = "<".join(word(rng, GIVEN) for _ in range(1 + (rng.random() < 0.45) + (rng.random() < 0.15)))
    whole = sur if rng.random() < 0.04 else sur + "<<" + given
    return whole[:n].ljust(n, "<")


def date(rng):
    return f"{rng.integers(100):02d}{rng.integers(1, 13):02d}{rng.integers(1, 32):02d}"


def number(rng, n):
    """A document number: digits, a few letters before digits, or mixed; seldom shorter than its field."""
    kind = rng.random()
    length = n if rng.random() < 0.8 else rng.integers(max(1, n - 4), n + 1)
    if kind < 0.3:
        s = chars(rng, DIGITS, length)
    elif kind < 0.7:
        k = min(length, rng.integers(1, 4))
        s = chars(rng, LETTERS, k) + chars(rng, DIGITS, length - k)
    else:
        s = chars(rng, DIGITS + LETTERS, length)
    if rng.random() < 0.15:  # runs of one digit, as specimens have
        i = rng.integers(len(s))
        s = s[:i] + pick(rng, DIGITS) * (len(s) - i)
    return s.ljust(n, "<")


def optional(rng, n):
    kind = rng.random()
    if kind < 0.45:
        return "<" * n
    if kind < 0.75:
        return number(rng, rng.integers(1, n + 1)).ljust(n, "<")
    if kind < 0.9:
        return chars(rng, DIGITS + LETTERS + "<<<", n)
    return chars(rng, DIGITS, n)


def state(rng):
    return pick(rng, STATES).ljust(3, "<")


def with_check(s):
    return s + check_digit(s)


def td3(rng):
    first = "P" + pick(rng, "<<<<PDSMORCABEL") + state(rng) + name_field(rng, 39)
    num, birth, expiry = with_check(number(rng, 9)), with_check(date(rng)), with_check(date(rng))
    opt = optional(rng, 14)
    opt += "<" if opt.strip("<") == "" and rng.random() < 0.6 else check_digit(opt)
    return [first, num + state(rng) + birth + pick(rng, "MF<") + expiry + opt + check_digit(num + birth + expiry + opt)]


def visa(rng, n):
    first = "V" + pick(rng, "<<<ACDNRS") + state(rng) + name_field(rng, n - 5)
    second = with_check(number(rng, 9)) + state(rng) + with_check(date(rng)) + pick(rng, "MF<") + with_check(date(rng))
    return [first, second + optional(rng, n - 28)]


def td2(rng):
    first = pick(rng, "IIIACT") + pick(rng, "<<<DPRSAB") + state(rng) + name_field(rng, 31)
    num, birth, expiry, opt = with_check(number(rng, 9)), with_check(date(rng)), with_check(date(rng)), optional(rng, 7)
    return [first, num + state(rng) + birth + pick(rng, "MF<") + expiry + opt + check_digit(num + birth + expiry + opt)]


def td1(rng):
    birth, expiry = with_check(date(rng)), with_check(date(rng))
    num = with_check(number(rng, 9))
    opt1, opt2 = optional(rng, 15), optional(rng, 11)
    if rng.random() < 0.1:  # a long number runs on into the optional field
        long = number(rng, rng.integers(11, 15)).replace("<", "0")
        num, opt1 = long[:9] + "<", (long[9:] + check_digit(long)).ljust(15, "<")
    first = pick(rng, "IIIACT") + pick(rng, "<<<DPRSAB") + state(rng) + num + opt1
    second = birth + pick(rng, "MF<") + expiry + state(rng) + opt2
    return [first, second + check_digit(first[5:] + second[:7] + second[8:15] + second[18:]), name_field(rng, 30)]


def idfra(rng):
    first = "IDFRA" + word(rng, SURNAMES)[:25].ljust(25, "<") + chars(rng, DIGITS, 6)
    given = "<<".join(word(rng, GIVEN) for _ in range(rng.integers(1, 4)))
    second = with_check(f"{rng.integers(100):02d}{rng.integers(1, 13):02d}" + chars(rng, DIGITS + "AB", 3) + chars(rng, DIGITS, 5)) + given[:14].ljust(14, "<")
    second += with_check(date(rng)) + pick(rng, "MF")
    return [first, with_check(second)]


def noise(rng):
    """No language: random characters, easily confused ones, repeats and filler runs of any length."""
    s, n = "", pick(rng, [30, 36, 44])
    while len(s) < n:
        kind = rng.random()
        if kind < 0.3:
            s += chars(rng, ALPHABET, rng.integers(1, 8))
        elif kind < 0.55:
            s += chars(rng, pick(rng, CONFUSED), rng.integers(1, 6))
        elif kind < 0.75:
            s += pick(rng, DIGITS + LETTERS) * rng.integers(2, 6)
        else:
            s += "<" * rng.integers(1, 20)
    return [s[:n]]


def lines(rng):
    """The lines of one document (1–3), top to bottom."""
    kind = rng.random()
    for upto, make in ((0.26, td3), (0.50, td1), (0.60, td2), (0.68, lambda r: visa(r, 44)), (0.74, lambda r: visa(r, 36)), (0.80, idfra), (1.0, noise)):
        if kind < upto:
            return make(rng)
