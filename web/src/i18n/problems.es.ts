import type { ProblemWords } from "./problems.ts";

const person = "Una persona lo mirará.";
const ask = "Pregunte a quien le envió el enlace.";

export const problemsEs = {
  "capture.not_an_image": ["Este archivo no es una imagen que podamos abrir.", "Envíe una foto JPEG, PNG o WebP."],
  "capture.too_many_pixels": [
    "Esta imagen es demasiado grande para abrirla.",
    "Envíe una foto de 50 megapíxeles como máximo.",
  ],
  "capture.too_small": [
    "El documento se ve demasiado pequeño en la foto.",
    "Acérquese hasta que el documento llene el marco.",
  ],
  "capture.blurred": [
    "La foto está demasiado borrosa para leerla.",
    "Sujete el teléfono sin moverlo, toque la pantalla para enfocar e inténtelo de nuevo.",
  ],
  "capture.glare": ["Un reflejo tapa parte del documento.", "Incline un poco el documento o apártese de la lámpara."],
  "capture.dark": ["La foto está demasiado oscura.", "Vaya donde haya más luz e inténtelo de nuevo."],
  "capture.cut_off": [
    "Parte del documento queda fuera de la foto.",
    "Aléjese hasta que las cuatro esquinas estén en el marco.",
  ],
  "capture.no_document": [
    "No hemos encontrado ningún documento en la foto.",
    "Ponga el documento plano y llene el marco con él.",
  ],
  "capture.several_documents": ["Hay más de un documento en la foto.", "Ponga un solo documento en el marco."],
  "capture.wrong_side": ["Esta es la otra cara del documento.", "Dé la vuelta al documento e inténtelo de nuevo."],
  "capture.same_side_twice": [
    "Las dos fotos muestran la misma cara.",
    "Dé la vuelta al documento y fotografíe la otra cara.",
  ],
  "capture.no_face": [
    "No hemos encontrado su rostro en la foto.",
    "Sujete el teléfono a la altura de los ojos y mire a la cámara.",
  ],
  "capture.several_faces": ["Hay más de un rostro en la foto.", "Asegúrese de que solo usted esté en el marco."],
  "capture.face_too_small": [
    "Su rostro está demasiado lejos.",
    "Acerque el teléfono hasta que su rostro llene el óvalo.",
  ],
  "capture.face_turned": ["Su rostro está girado.", "Mire de frente a la cámara."],
  "capture.eyes_closed": ["Sus ojos están cerrados en la foto.", "Mantenga los ojos abiertos e inténtelo de nuevo."],
  "capture.attempt_reused": ["Este intento ya se envió con otra foto.", "Haga la foto otra vez."],
  "capture.out_of_order": ["Antes viene otro paso.", "Siga con el paso que está en la pantalla."],
  "request.too_large": ["El archivo es demasiado grande.", "Envíe una foto de 15 MB como máximo."],
  "capture.no_colour": ["La foto está en blanco y negro.", "Haga la foto en color."],
  "document.readers_disagree": ["No hemos podido leer el documento sin dudas.", person],
  "document.country_not_accepted": ["Aquí no se aceptan documentos de este país.", ask],
  "document.type_not_accepted": ["Aquí no se acepta este tipo de documento.", ask],
  "document.unsupported": ["Aún no conocemos este tipo de documento.", person],
  "document.unreadable": [
    "No hemos podido leer el documento.",
    "Use más luz, póngalo plano y sujete el teléfono sin moverlo.",
  ],
  "document.mrz_missing": [
    "Faltan las líneas de letras y signos <.",
    "Muestre toda la página con las dos o tres líneas de código del borde.",
  ],
  "document.mrz_invalid": [
    "Las líneas de código del documento no cuadran.",
    "Haga una foto más nítida, sin reflejos en las líneas de código.",
  ],
  "document.expired": ["Este documento ha caducado.", "Empiece de nuevo con un documento que siga vigente."],
  "document.dates_implausible": ["Una fecha del documento necesita una segunda mirada.", person],
  "document.specimen": ["Esto es una muestra, no un documento real.", "Empiece de nuevo con su propio documento."],
  "document.facts_disagree": ["Partes del documento dicen cosas distintas.", person],
  "document.portrait_missing": [
    "No hemos encontrado la foto del documento.",
    "Muestre la cara con su foto, sin reflejos sobre ella.",
  ],
  "document.screen_copy": ["El documento necesita una segunda mirada.", person],
  "document.paper_copy": ["El documento necesita una segunda mirada.", person],
  "document.portrait_altered": ["El documento necesita una segunda mirada.", person],
  "document.sides_differ": ["Las dos caras no son del mismo documento.", person],
  "document.barcode_unreadable": [
    "No hemos podido leer el código de barras.",
    "Haga una foto nítida de todo el reverso, sin reflejos.",
  ],
  "person.claim_mismatch": [
    "El documento no coincide con los datos que se dieron.",
    "Pida a quien le envió el enlace que corrija los datos.",
  ],
  "person.under_age": ["No alcanza la edad mínima para este servicio.", ask],
  "face.mismatch": [
    "Su foto no se parece a la del documento.",
    "Quítese las gafas o el sombrero, busque luz uniforme y mire de frente a la cámara.",
  ],
  "face.uncertain": ["No estamos seguros de que las fotos muestren a la misma persona.", person],
  "face.not_comparable": ["Las fotos no se pueden comparar.", person],
  "liveness.failed": ["No hemos podido confirmar la foto.", person],
  "liveness.challenge_missed": [
    "No hemos podido seguir sus movimientos.",
    "Busque luz uniforme, mantenga el rostro en el óvalo y gire la cabeza como se muestra, cuando se muestra.",
  ],
  "liveness.faces_differ": ["No hemos podido confirmar la foto.", person],
  "liveness.replayed": ["No hemos podido confirmar la foto.", person],
  "capture.injected": ["No hemos podido confirmar la foto.", person],
  "challenge.expired": ["Esta grabación ya no se puede usar.", "Empiece otra vez la grabación y siga los movimientos."],
  "session.expired": ["Este enlace ha caducado.", "Pida uno nuevo a quien se lo envió."],
  "session.finished": ["Esta verificación ya ha terminado.", "Puede cerrar esta página."],
  "session.bound_elsewhere": [
    "Esta verificación se empezó en otro dispositivo o navegador.",
    "Continúe allí o pida un enlace nuevo.",
  ],
  "session.attempts_exhausted": ["No quedan intentos para este paso.", "Una persona mirará lo que ha enviado."],
  "handoff.used": [
    "Este código ya se usó.",
    "Continúe donde se abrió, o cree un código nuevo en el dispositivo que lo mostraba.",
  ],
  "handoff.expired": ["Este código ya no vale.", "Cree uno nuevo en el dispositivo que lo mostraba."],
  "consent.declined": [
    "No aceptó; no se ha comprobado nada y no se guarda nada.",
    "Pida otra forma a quien le envió el enlace.",
  ],
  "consent.missing": ["Primero necesitamos su consentimiento.", "Lea la página del consentimiento y elija."],
} as const satisfies ProblemWords;
