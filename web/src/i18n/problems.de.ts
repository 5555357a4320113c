import type { ProblemWords } from "./problems.ts";

const person = "Ein Mensch sieht es sich an.";
const ask = "Fragen Sie nach, wo Sie den Link herhaben.";

export const problemsDe = {
  "capture.not_an_image": [
    "Diese Datei ist kein Bild, das wir öffnen können.",
    "Senden Sie ein Foto als JPEG, PNG oder WebP.",
  ],
  "capture.too_many_pixels": [
    "Dieses Bild ist zu groß zum Öffnen.",
    "Senden Sie ein Foto mit höchstens 50 Megapixeln.",
  ],
  "capture.too_small": [
    "Das Dokument ist zu klein im Bild.",
    "Gehen Sie näher heran, bis das Dokument den Rahmen füllt.",
  ],
  "capture.blurred": [
    "Das Bild ist zu unscharf zum Lesen.",
    "Halten Sie das Telefon ruhig, tippen Sie zum Scharfstellen und versuchen Sie es noch einmal.",
  ],
  "capture.glare": [
    "Eine Spiegelung verdeckt einen Teil des Dokuments.",
    "Kippen Sie das Dokument ein wenig oder wenden Sie sich von der Lampe ab.",
  ],
  "capture.dark": ["Das Bild ist zu dunkel.", "Gehen Sie dorthin, wo es heller ist, und versuchen Sie es noch einmal."],
  "capture.cut_off": [
    "Ein Teil des Dokuments ist nicht im Bild.",
    "Gehen Sie zurück, bis alle vier Ecken im Rahmen sind.",
  ],
  "capture.no_document": [
    "Wir haben im Bild kein Dokument gefunden.",
    "Legen Sie das Dokument flach hin und füllen Sie den Rahmen damit.",
  ],
  "capture.several_documents": ["Im Bild ist mehr als ein Dokument.", "Legen Sie nur ein Dokument in den Rahmen."],
  "capture.wrong_side": [
    "Das ist die andere Seite des Dokuments.",
    "Drehen Sie das Dokument um und versuchen Sie es noch einmal.",
  ],
  "capture.same_side_twice": [
    "Beide Bilder zeigen dieselbe Seite.",
    "Drehen Sie das Dokument um und fotografieren Sie die andere Seite.",
  ],
  "capture.no_face": [
    "Wir haben Ihr Gesicht im Bild nicht gefunden.",
    "Halten Sie das Telefon auf Augenhöhe und schauen Sie in die Kamera.",
  ],
  "capture.several_faces": ["Im Bild ist mehr als ein Gesicht.", "Achten Sie darauf, dass nur Sie im Rahmen sind."],
  "capture.face_too_small": [
    "Ihr Gesicht ist zu weit weg.",
    "Halten Sie das Telefon näher, bis Ihr Gesicht das Oval füllt.",
  ],
  "capture.face_turned": ["Ihr Gesicht ist abgewandt.", "Schauen Sie gerade in die Kamera."],
  "capture.eyes_closed": [
    "Ihre Augen sind im Bild geschlossen.",
    "Halten Sie die Augen offen und versuchen Sie es noch einmal.",
  ],
  "capture.attempt_reused": [
    "Dieser Versuch wurde schon mit einem anderen Bild gesendet.",
    "Nehmen Sie das Bild noch einmal auf.",
  ],
  "capture.out_of_order": [
    "Zuerst kommt ein anderer Schritt.",
    "Machen Sie mit dem Schritt auf dem Bildschirm weiter.",
  ],
  "request.too_large": ["Die Datei ist zu groß.", "Senden Sie ein Bild mit höchstens 15 MB."],
  "capture.no_colour": ["Das Bild ist schwarzweiß.", "Nehmen Sie das Bild in Farbe auf."],
  "document.readers_disagree": ["Wir konnten das Dokument nicht zweifelsfrei lesen.", person],
  "document.country_not_accepted": ["Dokumente dieses Landes werden hier nicht angenommen.", ask],
  "document.type_not_accepted": ["Diese Art von Dokument wird hier nicht angenommen.", ask],
  "document.unsupported": ["Diese Art von Dokument kennen wir noch nicht.", person],
  "document.unreadable": [
    "Wir konnten das Dokument nicht lesen.",
    "Nehmen Sie mehr Licht, legen Sie es flach hin und halten Sie das Telefon ruhig.",
  ],
  "document.mrz_missing": [
    "Die Zeilen aus Buchstaben und <-Zeichen fehlen.",
    "Zeigen Sie die ganze Seite mit den zwei oder drei Codezeilen am Rand.",
  ],
  "document.mrz_invalid": [
    "Die Codezeilen des Dokuments gehen nicht auf.",
    "Machen Sie ein schärferes Bild ohne Spiegelung auf den Codezeilen.",
  ],
  "document.expired": ["Dieses Dokument ist abgelaufen.", "Beginnen Sie neu mit einem Dokument, das noch gültig ist."],
  "document.dates_implausible": ["Ein Datum im Dokument braucht einen zweiten Blick.", person],
  "document.specimen": ["Das ist ein Muster, kein echtes Dokument.", "Beginnen Sie neu mit Ihrem eigenen Dokument."],
  "document.facts_disagree": ["Teile des Dokuments sagen Verschiedenes.", person],
  "document.portrait_missing": [
    "Wir haben das Foto im Dokument nicht gefunden.",
    "Zeigen Sie die Seite mit Ihrem Foto, ohne Spiegelung darauf.",
  ],
  "document.screen_copy": ["Das Dokument braucht einen zweiten Blick.", person],
  "document.paper_copy": ["Das Dokument braucht einen zweiten Blick.", person],
  "document.portrait_altered": ["Das Dokument braucht einen zweiten Blick.", person],
  "document.sides_differ": ["Die zwei Seiten gehören nicht zusammen.", person],
  "document.barcode_unreadable": [
    "Wir konnten den Strichcode nicht lesen.",
    "Machen Sie ein scharfes Bild der ganzen Rückseite, ohne Spiegelung.",
  ],
  "person.claim_mismatch": [
    "Das Dokument passt nicht zu den angegebenen Daten.",
    "Bitten Sie, die Daten zu berichtigen, wo Sie den Link herhaben.",
  ],
  "person.under_age": ["Sie sind jünger als das Mindestalter für diesen Dienst.", ask],
  "face.mismatch": [
    "Ihr Bild sieht dem Foto im Dokument nicht ähnlich.",
    "Nehmen Sie Brille oder Hut ab, suchen Sie gleichmäßiges Licht und schauen Sie gerade in die Kamera.",
  ],
  "face.uncertain": ["Wir sind nicht sicher, dass die Fotos denselben Menschen zeigen.", person],
  "face.not_comparable": ["Die Fotos lassen sich nicht vergleichen.", person],
  "liveness.failed": ["Wir konnten das Bild nicht bestätigen.", person],
  "liveness.challenge_missed": [
    "Wir konnten Ihren Bewegungen nicht folgen.",
    "Suchen Sie gleichmäßiges Licht, bleiben Sie mit dem Gesicht im Oval und bewegen Sie den Kopf, wie und wann es gezeigt wird.",
  ],
  "liveness.faces_differ": ["Wir konnten das Bild nicht bestätigen.", person],
  "liveness.replayed": ["Wir konnten das Bild nicht bestätigen.", person],
  "capture.injected": ["Wir konnten das Bild nicht bestätigen.", person],
  "challenge.expired": [
    "Diese Aufnahme kann nicht mehr verwendet werden.",
    "Beginnen Sie die Aufnahme noch einmal und folgen Sie den Bewegungen.",
  ],
  "session.expired": ["Dieser Link ist abgelaufen.", "Bitten Sie um einen neuen, wo Sie ihn herhaben."],
  "session.finished": ["Diese Prüfung ist schon abgeschlossen.", "Sie können diese Seite schließen."],
  "session.bound_elsewhere": [
    "Diese Prüfung wurde auf einem anderen Gerät oder in einem anderen Browser begonnen.",
    "Machen Sie dort weiter oder bitten Sie um einen neuen Link.",
  ],
  "handoff.used": [
    "Dieser Code wurde schon benutzt.",
    "Machen Sie dort weiter, wo er geöffnet wurde, oder erstellen Sie auf dem Gerät, das ihn zeigte, einen neuen.",
  ],
  "handoff.expired": ["Dieser Code gilt nicht mehr.", "Erstellen Sie auf dem Gerät, das ihn zeigte, einen neuen."],
  "session.attempts_exhausted": [
    "Für diesen Schritt gibt es keinen Versuch mehr.",
    "Ein Mensch sieht sich an, was Sie gesendet haben.",
  ],
  "consent.declined": [
    "Sie haben nicht zugestimmt; nichts wurde geprüft und nichts wird aufbewahrt.",
    "Fragen Sie nach einem anderen Weg, wo Sie den Link herhaben.",
  ],
  "consent.missing": [
    "Zuerst brauchen wir Ihre Einwilligung.",
    "Lesen Sie die Seite zur Einwilligung und entscheiden Sie.",
  ],
} as const satisfies ProblemWords;
