package viz

// otherLabels are the words beside what is no fact here. They matter all the same: what they label is theirs.
var otherLabels = []labelRow{
	{other, "en", `type; document type; type of document; category; kind of title; type of permit; permit type; height; stature; eyes; eye colour; eye color; colour of eyes; color of eyes; hair; weight; class; classes;
		signature; holder's signature; signature of bearer; signature of holder; signature of the holder; birth name; name at birth; maiden name; father's name; mother's name; parents; profession; occupation; remarks; observations;
		number of entries; entries; duration of stay; valid for; issued at; issued in; place of issue; place issued; religious name; religious name or pseudonym; card access number; access number; spouse; issuing place; restrictions; endorsements; postal code;
		names of parents; type/kategorie; status; donor; veteran; under 18 until; under 21 until; endorsements and restrictions; blood type; categories; additional information; codes; conditions; duration`},
	{other, "fr", `nom d'usage; nom d'épouse; nom de naissance; taille; couleur des yeux; yeux; signature du titulaire; signature de la titulaire; profession; remarques; observations; nombre d'entrées; entrées; durée du séjour; valable pour;
		délivré à; délivrée à; lieu de délivrance; nom de religion ou pseudonyme; catégorie; nature du titre; catégorie du titre; motif du séjour; cheveux; poids; classe; noms des parents; type de titre; annotations; conditions; lieu d'émission; type de document; type de permis; yeux`},
	{other, "de", `geburtsname; größe; augenfarbe; farbe der augen; unterschrift; unterschrift des inhabers; unterschrift der inhaberin/des inhabers; unterschrift der inhaberin; ordens- oder künstlername; ordensname künstlername; beruf; anmerkungen; anzahl der einreisen; dauer des aufenthalts;
		gültig für; ausgestellt in; art des titels; typ; art; bemerkungen; erwerbstätigkeit; aufenthaltsdauer; einreisen; ausstellungsort; ort der ausstellung; zugangsnummer; namen der eltern; art des aufenthaltstitels; haare; gewicht; klassen; klasse; körpergröße`},
	{other, "es", `tipo; estatura; altura; firma; firma del titular; hijo/a de; hija de; hijo de; padres; profesión; observaciones; entradas; número de entradas; duración de la estancia; válido para; expedido en; lugar de expedición; equipo; color de ojos; ojos;
		tipo de permiso; tipo de documento; nombre de los padres; cabello; peso; clase; autorización; equipo/team`},
	{other, "it", `tipo; statura; altezza; colore degli occhi; occhi; firma; firma del titolare; professione; stato civile; annotazioni; numero di ingressi; ingressi; durata del soggiorno; valido per; rilasciato a; luogo di rilascio; tipo di permesso; cognome e nome dei genitori;
		atto di nascita; estremi atto di nascita; motivo del soggiorno; tipo di documento; capelli; connotati e contrassegni salienti`},
	{other, "pt", `altura; cor dos olhos; olhos; assinatura; assinatura do titular; filiação; profissão; observações; entradas; número de entradas; duração da estada; válido para; emitido em local; local de emissão; tipo de título; versão; estado civil; tipo de documento; categoria; tipo; tipo de título; emissão em`},
	{other, "nl", `type; soort; lengte; kleur ogen; kleur van de ogen; handtekening; handtekening houder; handtekening van de houder; naam echtgenoot; beroep; opmerkingen; aantal binnenkomsten; duur van het verblijf; geldig voor; afgegeven te; plaats van afgifte; soort verblijfstitel;
		soort document; ogen; categorie; aantal inreizen; soort vergunning`},
	{other, "pl", `typ; wzrost; kolor oczu; podpis; podpis posiadacza; nazwisko rodowe; imiona rodziców; imię ojca; imię matki; zawód; uwagi; liczba wjazdów; długość pobytu; ważna na; wydano w; miejsce wydania; rodzaj zezwolenia; rodzaj pobytu; oczy; numer can; rodzaj dokumentu; kategoria`},
	{other, "cs", "typ; výška; barva očí; podpis; podpis držitele; rodné příjmení; místo vydání; poznámky; počet vstupů; doba pobytu; platí pro; druh povolení; vydáno v; platné pro; rodinný stav; titul; jméno a příjmení rodičů"},
	{other, "sk", "farba očí; rodné priezvisko; miesto vydania; poznámky; počet vstupov; dĺžka pobytu; podpis držiteľa; osobitné záznamy; druh povolenia"},
	{other, "hu", "típus; magasság; szem színe; szemszín; aláírás; a tulajdonos aláírása; születési név; születési neve; anyja neve; megjegyzések; beutazások száma; tartózkodás időtartama; kiállítás helye; engedély típusa; szeme színe; az engedély típusa; testmagasság; érvényességi terület"},
	{other, "ro", "tip; tipul; înălțime; înălțimea; talia; culoarea ochilor; semnătura; semnătura titularului; nume anterior; nume părinți; prenume părinți; părinți; observații; locul emiterii; tip permis; număr de intrări; durata șederii; tipul permisului; valabil pentru"},
	{other, "sv", "typ; längd; ögonfärg; ögon; namnteckning; innehavarens namnteckning; anmärkningar; antal inresor; vistelsens längd; gäller för; utfärdandeort; utfärdat i; typ av tillstånd; tillståndets art; giltig för; utfärdad i"},
	{other, "da", "type; højde; øjenfarve; øjne; underskrift; indehaverens underskrift; anmærkninger; antal indrejser; opholdets varighed; gyldig for; udstedt i; tilladelsens art; udstedelsessted; bemærkninger; gyldig for"},
	{other, "no", "høyde; øyenfarge; øyne; innehaverens underskrift; merknader; antall innreiser; oppholdets varighet; utstedt i; type tillatelse; signatur"},
	{other, "fi", "tyyppi; pituus; silmien väri; silmät; allekirjoitus; nimikirjoitus; haltijan nimikirjoitus; huomautuksia; myöntämispaikka; luvan laji; lupatyyppi; oleskelun kesto; maahantulokertoja; huomautukset; maahantulojen määrä; voimassa maassa"},
	{other, "hr", "tip; visina; boja očiju; potpis; potpis nositelja; mjesto izdavanja; napomene; vrsta dozvole; rođeno prezime; broj ulazaka; vrsta"},
	{other, "sl", "tip; višina; barva oči; lastnoročni podpis; podpis imetnika; kraj izdaje; opombe; vrsta dovoljenja; dekliški priimek; število vstopov"},
	{other, "tr", "türü; tür; tip; boy; boyu; göz rengi; imza; hamilinin imzası; anne adı; baba adı; verildiği yer; mesleği; giriş sayısı; tipi; izin türü; açıklamalar; geçerli olduğu ülke; hamilin imzası"},
	{other, "et", "liik; pikkus; silmade värv; allkiri; kasutaja allkiri; omaniku allkiri; väljaandmise koht; märkused; loa liik"},
	{other, "lv", "tips; augums; acu krāsa; paraksts; turētāja paraksts; piezīmes; atļaujas veids; veids"},
	{other, "lt", "tipas; rūšis; ūgis; akių spalva; parašas; asmens parašas; pastabos; išdavimo vieta; leidimo rūšis"},
	{other, "is", "tegund; hæð; augnlitur; undirskrift; athugasemdir"},
}

// americanLabels are the short words of North American cards (AAMVA DL/ID Card Design Standard, annex A).
var americanLabels = []labelRow{
	{surname, "en", "LN; LNAME; family"},
	{givenNames, "en", "FN; FNAME; given; first; first & middle"},
	{documentNumber, "en", "DL; DLN; ID; LIC; lic no; customer identifier; dl number; dl no; IDN; ID no; number; numéro"},
	{dateOfExpiry, "en", "expires; EXP; exp/exp"},
	{dateOfIssue, "en", "ISS; issued; DÉL"},
	{dateOfBirth, "fr", "DDN"},
	{other, "en", "HGT; HT; WGT; WT; EYE; EYES; HAIR; HAIR COLOR; END; ENDORSE; RSTR; REST; RESTR; CLASS; CL; DD; REF; DUPS; DUP; DONOR; SEX ORIG; RACE; AUDIT; ICN; REV; COND; RESTRICTIONS; CATÉG; HAUT; RÉF; YEUX; TYPE"},
}
