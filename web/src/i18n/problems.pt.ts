import type { ProblemWords } from "./problems.ts";

const person = "Uma pessoa vai olhar.";
const ask = "Pergunte a quem enviou o link.";

export const problemsPt = {
  "capture.not_an_image": ["Este arquivo não é uma imagem que possamos abrir.", "Envie uma foto JPEG, PNG ou WebP."],
  "capture.too_many_pixels": ["Esta imagem é grande demais para abrir.", "Envie uma foto de no máximo 50 megapixels."],
  "capture.too_small": [
    "O documento está pequeno demais na foto.",
    "Chegue mais perto até o documento preencher a moldura.",
  ],
  "capture.blurred": [
    "A foto está borrada demais para ler.",
    "Segure o telefone firme, toque para focar e tente de novo.",
  ],
  "capture.glare": ["Um reflexo cobre parte do documento.", "Incline um pouco o documento ou afaste-se da lâmpada."],
  "capture.dark": ["A foto está escura demais.", "Vá para onde há mais luz e tente de novo."],
  "capture.cut_off": ["Parte do documento está fora da foto.", "Afaste-se até os quatro cantos estarem na moldura."],
  "capture.no_document": [
    "Não encontramos um documento na foto.",
    "Coloque o documento plano e preencha a moldura com ele.",
  ],
  "capture.several_documents": ["Há mais de um documento na foto.", "Coloque só um documento na moldura."],
  "capture.wrong_side": ["Este é o outro lado do documento.", "Vire o documento e tente de novo."],
  "capture.same_side_twice": ["As duas fotos mostram o mesmo lado.", "Vire o documento e fotografe o outro lado."],
  "capture.no_face": [
    "Não encontramos o seu rosto na foto.",
    "Segure o telefone na altura dos olhos e olhe para a câmera.",
  ],
  "capture.several_faces": ["Há mais de um rosto na foto.", "Garanta que só você esteja na moldura."],
  "capture.face_too_small": ["O seu rosto está longe demais.", "Aproxime o telefone até o rosto preencher o oval."],
  "capture.face_turned": ["O seu rosto está virado.", "Olhe de frente para a câmera."],
  "capture.eyes_closed": ["Os seus olhos estão fechados na foto.", "Mantenha os olhos abertos e tente de novo."],
  "capture.attempt_reused": ["Esta tentativa já foi enviada com outra foto.", "Tire a foto de novo."],
  "capture.out_of_order": ["Outra etapa vem antes.", "Continue com a etapa que está na tela."],
  "request.too_large": ["O arquivo é grande demais.", "Envie uma foto de no máximo 15 MB."],
  "capture.no_colour": ["A foto está em preto e branco.", "Tire a foto em cores."],
  "document.readers_disagree": ["Não conseguimos ler o documento sem dúvidas.", person],
  "document.country_not_accepted": ["Documentos deste país não são aceitos aqui.", ask],
  "document.type_not_accepted": ["Este tipo de documento não é aceito aqui.", ask],
  "document.unsupported": ["Ainda não conhecemos este tipo de documento.", person],
  "document.unreadable": [
    "Não conseguimos ler o documento.",
    "Use mais luz, coloque-o plano e segure o telefone firme.",
  ],
  "document.mrz_missing": [
    "Faltam as linhas de letras e sinais <.",
    "Mostre a página inteira com as duas ou três linhas de código na borda.",
  ],
  "document.mrz_invalid": [
    "As linhas de código do documento não conferem.",
    "Tire uma foto mais nítida, sem reflexo nas linhas de código.",
  ],
  "document.expired": ["Este documento está vencido.", "Comece de novo com um documento ainda válido."],
  "document.dates_implausible": ["Uma data do documento precisa de um segundo olhar.", person],
  "document.specimen": ["Isto é um espécime, não um documento real.", "Comece de novo com o seu próprio documento."],
  "document.facts_disagree": ["Partes do documento dizem coisas diferentes.", person],
  "document.portrait_missing": [
    "Não encontramos a foto no documento.",
    "Mostre o lado com a sua foto, sem reflexo sobre ela.",
  ],
  "document.screen_copy": ["O documento precisa de um segundo olhar.", person],
  "document.paper_copy": ["O documento precisa de um segundo olhar.", person],
  "document.portrait_altered": ["O documento precisa de um segundo olhar.", person],
  "document.sides_differ": ["Os dois lados não são do mesmo documento.", person],
  "document.barcode_unreadable": [
    "Não conseguimos ler o código de barras.",
    "Tire uma foto nítida de todo o verso, sem reflexo.",
  ],
  "person.claim_mismatch": [
    "O documento não corresponde aos dados informados.",
    "Peça a quem enviou o link que corrija os dados.",
  ],
  "person.under_age": ["Você está abaixo da idade mínima para este serviço.", ask],
  "face.mismatch": [
    "A sua foto não se parece com a do documento.",
    "Tire os óculos ou o chapéu, procure luz uniforme e olhe de frente para a câmera.",
  ],
  "face.uncertain": ["Não temos certeza de que as fotos mostram a mesma pessoa.", person],
  "face.not_comparable": ["As fotos não podem ser comparadas.", person],
  "liveness.failed": ["Não conseguimos confirmar a foto.", person],
  "liveness.challenge_missed": [
    "Não conseguimos seguir os seus movimentos.",
    "Procure luz uniforme, mantenha o rosto no oval e vire a cabeça como for mostrado, quando for mostrado.",
  ],
  "liveness.faces_differ": ["Não conseguimos confirmar a foto.", person],
  "liveness.replayed": ["Não conseguimos confirmar a foto.", person],
  "capture.injected": ["Não conseguimos confirmar a foto.", person],
  "challenge.expired": ["Esta gravação não pode mais ser usada.", "Comece a gravação de novo e siga os movimentos."],
  "session.expired": ["Este link expirou.", "Peça um novo a quem o enviou."],
  "session.finished": ["Esta verificação já terminou.", "Você pode fechar esta página."],
  "session.bound_elsewhere": [
    "Esta verificação foi começada em outro aparelho ou navegador.",
    "Continue lá ou peça um novo link.",
  ],
  "session.attempts_exhausted": ["Não há mais tentativas para esta etapa.", "Uma pessoa vai olhar o que você enviou."],
  "handoff.used": [
    "Este código já foi usado.",
    "Continue onde ele foi aberto ou crie um novo código no aparelho que o mostrava.",
  ],
  "handoff.expired": ["Este código não vale mais.", "Crie um novo no aparelho que o mostrava."],
  "consent.declined": [
    "Você não concordou; nada foi verificado e nada é guardado.",
    "Peça outra forma a quem enviou o link.",
  ],
  "consent.missing": ["Primeiro precisamos do seu consentimento.", "Leia a página do consentimento e escolha."],
} as const satisfies ProblemWords;
