import type { ProblemWords } from "./problems.ts";

const person = "Obejrzy to człowiek.";
const ask = "Zapytaj nadawcę linku.";

export const problemsPl = {
  "capture.not_an_image": ["Ten plik nie jest zdjęciem, które możemy otworzyć.", "Wyślij zdjęcie JPEG, PNG lub WebP."],
  "capture.too_many_pixels": ["To zdjęcie jest za duże, aby je otworzyć.", "Wyślij zdjęcie do 50 megapikseli."],
  "capture.too_small": ["Dokument jest na zdjęciu za mały.", "Podejdź bliżej, aż dokument wypełni ramkę."],
  "capture.blurred": [
    "Zdjęcie jest za mało ostre, aby je odczytać.",
    "Trzymaj telefon nieruchomo, dotknij ekranu, aby ustawić ostrość, i spróbuj ponownie.",
  ],
  "capture.glare": ["Odbicie zasłania część dokumentu.", "Przechyl trochę dokument albo odwróć się od lampy."],
  "capture.dark": ["Zdjęcie jest za ciemne.", "Przejdź tam, gdzie jest jaśniej, i spróbuj ponownie."],
  "capture.cut_off": ["Część dokumentu jest poza zdjęciem.", "Odsuń się, aż wszystkie cztery rogi będą w ramce."],
  "capture.no_document": ["Nie znaleźliśmy na zdjęciu dokumentu.", "Połóż dokument płasko i wypełnij nim ramkę."],
  "capture.several_documents": ["Na zdjęciu jest więcej niż jeden dokument.", "Połóż w ramce tylko jeden dokument."],
  "capture.wrong_side": ["To druga strona dokumentu.", "Odwróć dokument i spróbuj ponownie."],
  "capture.same_side_twice": ["Oba zdjęcia pokazują tę samą stronę.", "Odwróć dokument i sfotografuj drugą stronę."],
  "capture.no_face": [
    "Nie znaleźliśmy na zdjęciu Twojej twarzy.",
    "Trzymaj telefon na wysokości oczu i patrz w kamerę.",
  ],
  "capture.several_faces": ["Na zdjęciu jest więcej niż jedna twarz.", "Zadbaj, aby w ramce nie było nikogo innego."],
  "capture.face_too_small": ["Twoja twarz jest za daleko.", "Zbliż telefon, aż twarz wypełni owal."],
  "capture.face_turned": ["Twoja twarz jest odwrócona.", "Patrz prosto w kamerę."],
  "capture.eyes_closed": ["Na zdjęciu masz zamknięte oczy.", "Trzymaj oczy otwarte i spróbuj ponownie."],
  "capture.attempt_reused": ["Ta próba została już wysłana z innym zdjęciem.", "Zrób zdjęcie jeszcze raz."],
  "capture.out_of_order": ["Najpierw jest inny krok.", "Wykonaj krok, który jest na ekranie."],
  "request.too_large": ["Plik jest za duży.", "Wyślij zdjęcie do 15 MB."],
  "capture.no_colour": ["Zdjęcie jest czarno-białe.", "Zrób zdjęcie w kolorze."],
  "document.readers_disagree": ["Nie udało się odczytać dokumentu bez wątpliwości.", person],
  "document.country_not_accepted": ["Dokumenty tego kraju nie są tu przyjmowane.", ask],
  "document.type_not_accepted": ["Ten rodzaj dokumentu nie jest tu przyjmowany.", ask],
  "document.unsupported": ["Nie znamy jeszcze tego rodzaju dokumentu.", person],
  "document.unreadable": [
    "Nie udało się odczytać dokumentu.",
    "Zadbaj o więcej światła, połóż go płasko i trzymaj telefon nieruchomo.",
  ],
  "document.mrz_missing": [
    "Brakuje wierszy z literami i znakami <.",
    "Pokaż całą stronę z dwoma lub trzema wierszami kodu przy krawędzi.",
  ],
  "document.mrz_invalid": [
    "Wiersze kodu dokumentu się nie zgadzają.",
    "Zrób ostrzejsze zdjęcie bez odbić na wierszach kodu.",
  ],
  "document.expired": ["Ten dokument stracił ważność.", "Zacznij od nowa z dokumentem, który jest jeszcze ważny."],
  "document.dates_implausible": ["Data w dokumencie wymaga drugiego spojrzenia.", person],
  "document.specimen": ["To wzór, a nie prawdziwy dokument.", "Zacznij od nowa z własnym dokumentem."],
  "document.facts_disagree": ["Części dokumentu mówią co innego.", person],
  "document.portrait_missing": [
    "Nie znaleźliśmy zdjęcia w dokumencie.",
    "Pokaż stronę ze swoim zdjęciem, bez odbić na nim.",
  ],
  "document.screen_copy": ["Dokument wymaga drugiego spojrzenia.", person],
  "document.paper_copy": ["Dokument wymaga drugiego spojrzenia.", person],
  "document.portrait_altered": ["Dokument wymaga drugiego spojrzenia.", person],
  "document.sides_differ": ["Obie strony nie należą do siebie.", person],
  "document.barcode_unreadable": [
    "Nie udało się odczytać kodu kreskowego.",
    "Zrób ostre zdjęcie całego tyłu, bez odbić.",
  ],
  "person.claim_mismatch": ["Dokument nie zgadza się z podanymi danymi.", "Poproś nadawcę linku o poprawienie danych."],
  "person.under_age": ["Nie masz jeszcze wieku wymaganego w tej usłudze.", ask],
  "face.mismatch": [
    "Twoje zdjęcie nie przypomina zdjęcia w dokumencie.",
    "Zdejmij okulary lub nakrycie głowy, poszukaj równego światła i patrz prosto w kamerę.",
  ],
  "face.uncertain": ["Nie mamy pewności, że zdjęcia pokazują tę samą osobę.", person],
  "face.not_comparable": ["Zdjęć nie da się porównać.", person],
  "liveness.failed": ["Nie udało się potwierdzić zdjęcia.", person],
  "liveness.challenge_missed": [
    "Nie udało się nadążyć za Twoimi ruchami.",
    "Poszukaj równego światła, trzymaj twarz w owalu i obracaj głowę tak i wtedy, jak to jest pokazane.",
  ],
  "liveness.faces_differ": ["Nie udało się potwierdzić zdjęcia.", person],
  "liveness.replayed": ["Nie udało się potwierdzić zdjęcia.", person],
  "capture.injected": ["Nie udało się potwierdzić zdjęcia.", person],
  "challenge.expired": ["Tego nagrania nie można już użyć.", "Zacznij nagranie od nowa i wykonuj ruchy."],
  "session.expired": ["Ten link wygasł.", "Poproś nadawcę o nowy."],
  "session.finished": ["Ta weryfikacja jest już zakończona.", "Możesz zamknąć tę stronę."],
  "session.bound_elsewhere": [
    "Tę weryfikację rozpoczęto na innym urządzeniu lub w innej przeglądarce.",
    "Wróć tam albo poproś o nowy link.",
  ],
  "session.attempts_exhausted": ["W tym kroku nie ma już więcej prób.", "To, co wysłano, obejrzy człowiek."],
  "handoff.used": [
    "Tego kodu już użyto.",
    "Kontynuuj tam, gdzie został otwarty, albo utwórz nowy kod na urządzeniu, które go pokazywało.",
  ],
  "handoff.expired": ["Ten kod już nie działa.", "Utwórz nowy na urządzeniu, które go pokazywało."],
  "consent.declined": [
    "Nie było zgody; niczego nie sprawdzono i nic nie jest przechowywane.",
    "Zapytaj nadawcę linku o inny sposób.",
  ],
  "consent.missing": ["Najpierw potrzebujemy Twojej zgody.", "Przeczytaj stronę o zgodzie i wybierz."],
} as const satisfies ProblemWords;
