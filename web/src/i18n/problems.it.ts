import type { ProblemWords } from "./problems.ts";

const person = "Una persona lo guarderà.";
const ask = "Chieda a chi Le ha inviato il link.";

export const problemsIt = {
  "capture.not_an_image": ["Questo file non è un’immagine che possiamo aprire.", "Invii una foto JPEG, PNG o WebP."],
  "capture.too_many_pixels": [
    "Questa immagine è troppo grande da aprire.",
    "Invii una foto di 50 megapixel al massimo.",
  ],
  "capture.too_small": [
    "Il documento è troppo piccolo nella foto.",
    "Si avvicini finché il documento riempie la cornice.",
  ],
  "capture.blurred": [
    "La foto è troppo sfocata da leggere.",
    "Tenga fermo il telefono, tocchi per mettere a fuoco e riprovi.",
  ],
  "capture.glare": [
    "Un riflesso copre una parte del documento.",
    "Inclini un po’ il documento o si allontani dalla lampada.",
  ],
  "capture.dark": ["La foto è troppo scura.", "Vada dove c’è più luce e riprovi."],
  "capture.cut_off": [
    "Una parte del documento è fuori dalla foto.",
    "Si allontani finché tutti e quattro gli angoli sono nella cornice.",
  ],
  "capture.no_document": [
    "Non abbiamo trovato un documento nella foto.",
    "Appoggi il documento in piano e riempia con esso la cornice.",
  ],
  "capture.several_documents": ["Nella foto c’è più di un documento.", "Metta un solo documento nella cornice."],
  "capture.wrong_side": ["Questo è l’altro lato del documento.", "Giri il documento e riprovi."],
  "capture.same_side_twice": ["Le due foto mostrano lo stesso lato.", "Giri il documento e fotografi l’altro lato."],
  "capture.no_face": [
    "Non abbiamo trovato il Suo viso nella foto.",
    "Tenga il telefono all’altezza degli occhi e guardi nella fotocamera.",
  ],
  "capture.several_faces": ["Nella foto c’è più di un viso.", "Faccia in modo che nella cornice ci sia solo Lei."],
  "capture.face_too_small": ["Il Suo viso è troppo lontano.", "Avvicini il telefono finché il viso riempie l’ovale."],
  "capture.face_turned": ["Il Suo viso è girato.", "Guardi dritto nella fotocamera."],
  "capture.eyes_closed": ["Nella foto i Suoi occhi sono chiusi.", "Tenga gli occhi aperti e riprovi."],
  "capture.attempt_reused": ["Questo tentativo è già stato inviato con un’altra foto.", "Scatti di nuovo la foto."],
  "capture.out_of_order": ["Prima viene un altro passo.", "Continui con il passo sullo schermo."],
  "request.too_large": ["Il file è troppo grande.", "Invii una foto di 15 MB al massimo."],
  "capture.no_colour": ["La foto è in bianco e nero.", "Scatti la foto a colori."],
  "document.readers_disagree": ["Non abbiamo potuto leggere il documento senza dubbi.", person],
  "document.country_not_accepted": ["Qui non si accettano documenti di questo Paese.", ask],
  "document.type_not_accepted": ["Qui non si accetta questo tipo di documento.", ask],
  "document.unsupported": ["Non conosciamo ancora questo tipo di documento.", person],
  "document.unreadable": [
    "Non abbiamo potuto leggere il documento.",
    "Usi più luce, lo appoggi in piano e tenga fermo il telefono.",
  ],
  "document.mrz_missing": [
    "Mancano le righe di lettere e segni <.",
    "Mostri tutta la pagina con le due o tre righe di codice sul bordo.",
  ],
  "document.mrz_invalid": [
    "Le righe di codice del documento non tornano.",
    "Scatti una foto più nitida, senza riflessi sulle righe di codice.",
  ],
  "document.expired": ["Questo documento è scaduto.", "Ricominci con un documento ancora valido."],
  "document.dates_implausible": ["Una data del documento richiede un secondo sguardo.", person],
  "document.specimen": ["Questo è un facsimile, non un documento vero.", "Ricominci con il Suo documento."],
  "document.facts_disagree": ["Parti del documento dicono cose diverse.", person],
  "document.portrait_missing": [
    "Non abbiamo trovato la foto sul documento.",
    "Mostri il lato con la Sua foto, senza riflessi su di essa.",
  ],
  "document.screen_copy": ["Il documento richiede un secondo sguardo.", person],
  "document.paper_copy": ["Il documento richiede un secondo sguardo.", person],
  "document.portrait_altered": ["Il documento richiede un secondo sguardo.", person],
  "document.sides_differ": ["I due lati non vanno insieme.", person],
  "document.barcode_unreadable": [
    "Non abbiamo potuto leggere il codice a barre.",
    "Scatti una foto nitida di tutto il retro, senza riflessi.",
  ],
  "person.claim_mismatch": [
    "Il documento non corrisponde ai dati indicati.",
    "Chieda a chi Le ha inviato il link di correggere i dati.",
  ],
  "person.under_age": ["Non ha l’età minima per questo servizio.", ask],
  "face.mismatch": [
    "La Sua foto non somiglia a quella del documento.",
    "Tolga occhiali o cappello, cerchi una luce uniforme e guardi dritto nella fotocamera.",
  ],
  "face.uncertain": ["Non siamo sicuri che le foto mostrino la stessa persona.", person],
  "face.not_comparable": ["Le foto non si possono confrontare.", person],
  "liveness.failed": ["Non abbiamo potuto confermare la foto.", person],
  "liveness.challenge_missed": [
    "Non abbiamo potuto seguire i Suoi movimenti.",
    "Cerchi una luce uniforme, tenga il viso nell’ovale e giri la testa come viene mostrato, quando viene mostrato.",
  ],
  "liveness.faces_differ": ["Non abbiamo potuto confermare la foto.", person],
  "liveness.replayed": ["Non abbiamo potuto confermare la foto.", person],
  "capture.injected": ["Non abbiamo potuto confermare la foto.", person],
  "challenge.expired": [
    "Questa registrazione non si può più usare.",
    "Ricominci la registrazione e segua i movimenti.",
  ],
  "session.expired": ["Questo link è scaduto.", "Ne chieda uno nuovo a chi lo ha inviato."],
  "session.finished": ["Questa verifica è già finita.", "Può chiudere questa pagina."],
  "session.bound_elsewhere": [
    "Questa verifica è iniziata su un altro dispositivo o browser.",
    "Continui lì o chieda un nuovo link.",
  ],
  "session.attempts_exhausted": [
    "Per questo passo non ci sono altri tentativi.",
    "Una persona guarderà ciò che ha inviato.",
  ],
  "handoff.used": [
    "Questo codice è già stato usato.",
    "Continui dove è stato aperto, o crei un nuovo codice sul dispositivo che lo mostrava.",
  ],
  "handoff.expired": ["Questo codice non vale più.", "Ne crei uno nuovo sul dispositivo che lo mostrava."],
  "consent.declined": [
    "Non ha acconsentito; non si è controllato nulla e non si conserva nulla.",
    "Chieda un altro modo a chi Le ha inviato il link.",
  ],
  "consent.missing": ["Prima ci serve il Suo consenso.", "Legga la pagina del consenso e scelga."],
} as const satisfies ProblemWords;
