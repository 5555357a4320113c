import type { ProblemWords } from "./problems.ts";

const person = "Een mens bekijkt het.";
const ask = "Vraag het aan wie u de link stuurde.";

export const problemsNl = {
  "capture.not_an_image": ["Dit bestand is geen foto die we kunnen openen.", "Stuur een foto als JPEG, PNG of WebP."],
  "capture.too_many_pixels": ["Deze foto is te groot om te openen.", "Stuur een foto van hooguit 50 megapixels."],
  "capture.too_small": ["Het document is te klein op de foto.", "Kom dichterbij tot het document het kader vult."],
  "capture.blurred": [
    "De foto is te wazig om te lezen.",
    "Houd de telefoon stil, tik om scherp te stellen en probeer het opnieuw.",
  ],
  "capture.glare": [
    "Een spiegeling bedekt een deel van het document.",
    "Kantel het document een beetje of draai weg van de lamp.",
  ],
  "capture.dark": ["De foto is te donker.", "Ga ergens heen waar meer licht is en probeer het opnieuw."],
  "capture.cut_off": [
    "Een deel van het document staat niet op de foto.",
    "Ga verder weg tot alle vier de hoeken in het kader zijn.",
  ],
  "capture.no_document": [
    "We hebben geen document op de foto gevonden.",
    "Leg het document plat en vul het kader ermee.",
  ],
  "capture.several_documents": ["Er staat meer dan één document op de foto.", "Leg maar één document in het kader."],
  "capture.wrong_side": ["Dit is de andere kant van het document.", "Draai het document om en probeer het opnieuw."],
  "capture.same_side_twice": [
    "Beide foto’s tonen dezelfde kant.",
    "Draai het document om en fotografeer de andere kant.",
  ],
  "capture.no_face": [
    "We hebben uw gezicht niet op de foto gevonden.",
    "Houd de telefoon op ooghoogte en kijk in de camera.",
  ],
  "capture.several_faces": ["Er staat meer dan één gezicht op de foto.", "Zorg dat alleen u in het kader bent."],
  "capture.face_too_small": ["Uw gezicht is te ver weg.", "Houd de telefoon dichterbij tot uw gezicht het ovaal vult."],
  "capture.face_turned": ["Uw gezicht is weggedraaid.", "Kijk recht in de camera."],
  "capture.eyes_closed": ["Uw ogen zijn dicht op de foto.", "Houd uw ogen open en probeer het opnieuw."],
  "capture.attempt_reused": ["Deze poging is al met een andere foto verstuurd.", "Maak de foto opnieuw."],
  "capture.out_of_order": ["Eerst komt een andere stap.", "Ga verder met de stap op het scherm."],
  "request.too_large": ["Het bestand is te groot.", "Stuur een foto van hooguit 15 MB."],
  "capture.no_colour": ["De foto is zwart-wit.", "Maak de foto in kleur."],
  "document.readers_disagree": ["We konden het document niet zonder twijfel lezen.", person],
  "document.country_not_accepted": ["Documenten van dit land worden hier niet aanvaard.", ask],
  "document.type_not_accepted": ["Dit soort document wordt hier niet aanvaard.", ask],
  "document.unsupported": ["Dit soort document kennen we nog niet.", person],
  "document.unreadable": [
    "We konden het document niet lezen.",
    "Zorg voor meer licht, leg het plat en houd de telefoon stil.",
  ],
  "document.mrz_missing": [
    "De regels met letters en <-tekens ontbreken.",
    "Laat de hele pagina zien met de twee of drie coderegels aan de rand.",
  ],
  "document.mrz_invalid": [
    "De coderegels van het document kloppen niet.",
    "Maak een scherpere foto zonder spiegeling op de coderegels.",
  ],
  "document.expired": ["Dit document is verlopen.", "Begin opnieuw met een document dat nog geldig is."],
  "document.dates_implausible": ["Een datum op het document vraagt een tweede blik.", person],
  "document.specimen": ["Dit is een specimen, geen echt document.", "Begin opnieuw met uw eigen document."],
  "document.facts_disagree": ["Delen van het document zeggen verschillende dingen.", person],
  "document.portrait_missing": [
    "We hebben de foto op het document niet gevonden.",
    "Laat de kant met uw foto zien, zonder spiegeling erop.",
  ],
  "document.screen_copy": ["Het document vraagt een tweede blik.", person],
  "document.paper_copy": ["Het document vraagt een tweede blik.", person],
  "document.portrait_altered": ["Het document vraagt een tweede blik.", person],
  "document.sides_differ": ["De twee kanten horen niet bij elkaar.", person],
  "document.barcode_unreadable": [
    "We konden de streepjescode niet lezen.",
    "Maak een scherpe foto van de hele achterkant, zonder spiegeling.",
  ],
  "person.claim_mismatch": [
    "Het document past niet bij de opgegeven gegevens.",
    "Vraag aan wie u de link stuurde om de gegevens te verbeteren.",
  ],
  "person.under_age": ["U bent jonger dan de minimumleeftijd voor deze dienst.", ask],
  "face.mismatch": [
    "Uw foto lijkt niet op de foto op het document.",
    "Zet bril of hoed af, zoek gelijkmatig licht en kijk recht in de camera.",
  ],
  "face.uncertain": ["We weten niet zeker of de foto’s dezelfde persoon tonen.", person],
  "face.not_comparable": ["De foto’s kunnen niet worden vergeleken.", person],
  "liveness.failed": ["We konden de foto niet bevestigen.", person],
  "liveness.challenge_missed": [
    "We konden uw bewegingen niet volgen.",
    "Zoek gelijkmatig licht, houd uw gezicht in het ovaal en draai uw hoofd zoals en wanneer het wordt getoond.",
  ],
  "liveness.faces_differ": ["We konden de foto niet bevestigen.", person],
  "liveness.replayed": ["We konden de foto niet bevestigen.", person],
  "capture.injected": ["We konden de foto niet bevestigen.", person],
  "challenge.expired": ["Deze opname kan niet meer worden gebruikt.", "Begin de opname opnieuw en volg de bewegingen."],
  "session.expired": ["Deze link is verlopen.", "Vraag een nieuwe aan wie hem stuurde."],
  "session.finished": ["Deze controle is al klaar.", "U kunt deze pagina sluiten."],
  "session.bound_elsewhere": [
    "Deze controle is op een ander apparaat of in een andere browser begonnen.",
    "Ga daar verder of vraag een nieuwe link.",
  ],
  "session.attempts_exhausted": [
    "Voor deze stap zijn er geen pogingen meer.",
    "Een mens bekijkt wat u hebt verstuurd.",
  ],
  "handoff.used": [
    "Deze code is al gebruikt.",
    "Ga verder waar hij is geopend, of maak een nieuwe code op het apparaat dat hem toonde.",
  ],
  "handoff.expired": ["Deze code werkt niet meer.", "Maak een nieuwe op het apparaat dat hem toonde."],
  "consent.declined": [
    "U ging niet akkoord; er is niets gecontroleerd en niets wordt bewaard.",
    "Vraag aan wie u de link stuurde om een andere manier.",
  ],
  "consent.missing": ["Eerst hebben we uw toestemming nodig.", "Lees de toestemmingspagina en kies."],
} as const satisfies ProblemWords;
