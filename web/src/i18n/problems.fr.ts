import type { ProblemWords } from "./problems.ts";

const person = "Une personne va l’examiner.";
const ask = "Renseignez-vous auprès de qui vous a envoyé le lien.";

export const problemsFr = {
  "capture.not_an_image": [
    "Ce fichier n’est pas une image que nous pouvons ouvrir.",
    "Envoyez une photo JPEG, PNG ou WebP.",
  ],
  "capture.too_many_pixels": [
    "Cette image est trop grande pour être ouverte.",
    "Envoyez une photo d’au plus 50 mégapixels.",
  ],
  "capture.too_small": [
    "Le document est trop petit sur la photo.",
    "Approchez-vous jusqu’à ce que le document remplisse le cadre.",
  ],
  "capture.blurred": [
    "La photo est trop floue pour être lue.",
    "Tenez le téléphone immobile, touchez pour faire la mise au point et réessayez.",
  ],
  "capture.glare": [
    "Un reflet couvre une partie du document.",
    "Inclinez un peu le document ou détournez-vous de la lampe.",
  ],
  "capture.dark": ["La photo est trop sombre.", "Allez là où il y a plus de lumière et réessayez."],
  "capture.cut_off": [
    "Une partie du document est hors de la photo.",
    "Reculez jusqu’à ce que les quatre coins soient dans le cadre.",
  ],
  "capture.no_document": [
    "Nous n’avons pas trouvé de document sur la photo.",
    "Posez le document à plat et remplissez-en le cadre.",
  ],
  "capture.several_documents": [
    "Il y a plus d’un document sur la photo.",
    "Ne mettez qu’un seul document dans le cadre.",
  ],
  "capture.wrong_side": ["C’est l’autre face du document.", "Retournez le document et réessayez."],
  "capture.same_side_twice": [
    "Les deux photos montrent la même face.",
    "Retournez le document et photographiez l’autre face.",
  ],
  "capture.no_face": [
    "Nous n’avons pas trouvé votre visage sur la photo.",
    "Tenez le téléphone à hauteur des yeux et regardez la caméra.",
  ],
  "capture.several_faces": ["Il y a plus d’un visage sur la photo.", "Veillez à être seul dans le cadre."],
  "capture.face_too_small": [
    "Votre visage est trop loin.",
    "Approchez le téléphone jusqu’à ce que votre visage remplisse l’ovale.",
  ],
  "capture.face_turned": ["Votre visage est tourné.", "Regardez droit vers la caméra."],
  "capture.eyes_closed": ["Vos yeux sont fermés sur la photo.", "Gardez les yeux ouverts et réessayez."],
  "capture.attempt_reused": ["Cet essai a déjà été envoyé avec une autre photo.", "Reprenez la photo."],
  "capture.out_of_order": ["Une autre étape vient d’abord.", "Continuez avec l’étape affichée."],
  "request.too_large": ["Le fichier est trop lourd.", "Envoyez une photo d’au plus 15 Mo."],
  "capture.no_colour": ["La photo est en noir et blanc.", "Prenez la photo en couleurs."],
  "document.readers_disagree": ["Nous n’avons pas pu lire le document sans aucun doute.", person],
  "document.country_not_accepted": ["Les documents de ce pays ne sont pas acceptés ici.", ask],
  "document.type_not_accepted": ["Ce type de document n’est pas accepté ici.", ask],
  "document.unsupported": ["Nous ne connaissons pas encore ce type de document.", person],
  "document.unreadable": [
    "Nous n’avons pas pu lire le document.",
    "Prenez plus de lumière, posez-le à plat et tenez le téléphone immobile.",
  ],
  "document.mrz_missing": [
    "Il manque les lignes de lettres et de signes <.",
    "Montrez toute la page avec les deux ou trois lignes de code au bord.",
  ],
  "document.mrz_invalid": [
    "Les lignes de code du document ne tombent pas juste.",
    "Prenez une photo plus nette, sans reflet sur les lignes de code.",
  ],
  "document.expired": ["Ce document a expiré.", "Recommencez avec un document encore valable."],
  "document.dates_implausible": ["Une date du document demande un second regard.", person],
  "document.specimen": ["C’est un spécimen, pas un vrai document.", "Recommencez avec votre propre document."],
  "document.facts_disagree": ["Des parties du document disent des choses différentes.", person],
  "document.portrait_missing": [
    "Nous n’avons pas trouvé la photo du document.",
    "Montrez la face avec votre photo, sans reflet dessus.",
  ],
  "document.screen_copy": ["Le document demande un second examen.", person],
  "document.paper_copy": ["Le document demande un second examen.", person],
  "document.portrait_altered": ["Le document demande un second examen.", person],
  "document.sides_differ": ["Les deux faces ne vont pas ensemble.", person],
  "document.barcode_unreadable": [
    "Nous n’avons pas pu lire le code-barres.",
    "Prenez une photo nette de tout le verso, sans reflet.",
  ],
  "person.claim_mismatch": [
    "Le document ne correspond pas aux données fournies.",
    "Demandez à qui vous a envoyé le lien de corriger les données.",
  ],
  "person.under_age": ["Vous êtes en dessous de l’âge minimum pour ce service.", ask],
  "face.mismatch": [
    "Votre photo ne ressemble pas à celle du document.",
    "Retirez lunettes ou chapeau, cherchez une lumière régulière et regardez droit vers la caméra.",
  ],
  "face.uncertain": ["Nous ne sommes pas sûrs que les photos montrent la même personne.", person],
  "face.not_comparable": ["Les photos ne peuvent pas être comparées.", person],
  "liveness.failed": ["Nous n’avons pas pu confirmer la photo.", person],
  "liveness.challenge_missed": [
    "Nous n’avons pas pu suivre vos mouvements.",
    "Cherchez une lumière régulière, gardez le visage dans l’ovale et tournez la tête comme et quand c’est indiqué.",
  ],
  "liveness.faces_differ": ["Nous n’avons pas pu confirmer la photo.", person],
  "liveness.replayed": ["Nous n’avons pas pu confirmer la photo.", person],
  "capture.injected": ["Nous n’avons pas pu confirmer la photo.", person],
  "challenge.expired": [
    "Cet enregistrement ne peut plus être utilisé.",
    "Recommencez l’enregistrement et suivez les mouvements.",
  ],
  "session.expired": ["Ce lien a expiré.", "Demandez-en un nouveau à qui vous l’a envoyé."],
  "session.finished": ["Cette vérification est déjà terminée.", "Vous pouvez fermer cette page."],
  "session.bound_elsewhere": [
    "Cette vérification a commencé sur un autre appareil ou navigateur.",
    "Continuez là-bas ou demandez un nouveau lien.",
  ],
  "handoff.used": [
    "Ce code a déjà été utilisé.",
    "Continuez là où il a été ouvert, ou créez-en un nouveau sur l’appareil qui l’affichait.",
  ],
  "handoff.expired": ["Ce code n’est plus valable.", "Créez-en un nouveau sur l’appareil qui l’affichait."],
  "session.attempts_exhausted": [
    "Il ne reste plus d’essai pour cette étape.",
    "Une personne examinera ce que vous avez envoyé.",
  ],
  "consent.declined": [
    "Vous avez refusé ; rien n’a été vérifié et rien n’est gardé.",
    "Demandez une autre voie à qui vous a envoyé le lien.",
  ],
  "consent.missing": ["Il nous faut d’abord votre accord.", "Lisez la page d’accord et choisissez."],
} as const satisfies ProblemWords;
