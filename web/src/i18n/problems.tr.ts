import type { ProblemWords } from "./problems.ts";

const person = "Buna bir insan bakacak.";
const ask = "Bağlantıyı gönderene sorun.";

export const problemsTr = {
  "capture.not_an_image": [
    "Bu dosya açabildiğimiz bir fotoğraf değil.",
    "JPEG, PNG veya WebP biçiminde bir fotoğraf gönderin.",
  ],
  "capture.too_many_pixels": [
    "Bu fotoğraf açılamayacak kadar büyük.",
    "En çok 50 megapiksellik bir fotoğraf gönderin.",
  ],
  "capture.too_small": ["Belge fotoğrafta çok küçük.", "Belge çerçeveyi doldurana kadar yaklaşın."],
  "capture.blurred": [
    "Fotoğraf okunamayacak kadar bulanık.",
    "Telefonu sabit tutun, netlemek için dokunun ve yeniden deneyin.",
  ],
  "capture.glare": ["Bir yansıma belgenin bir bölümünü örtüyor.", "Belgeyi biraz eğin ya da lambadan uzaklaşın."],
  "capture.dark": ["Fotoğraf çok karanlık.", "Daha aydınlık bir yere gidin ve yeniden deneyin."],
  "capture.cut_off": ["Belgenin bir bölümü fotoğrafın dışında.", "Dört köşe de çerçeveye girene kadar uzaklaşın."],
  "capture.no_document": ["Fotoğrafta bir belge bulamadık.", "Belgeyi düz koyun ve çerçeveyi onunla doldurun."],
  "capture.several_documents": ["Fotoğrafta birden çok belge var.", "Çerçeveye yalnızca bir belge koyun."],
  "capture.wrong_side": ["Bu, belgenin diğer yüzü.", "Belgeyi çevirin ve yeniden deneyin."],
  "capture.same_side_twice": ["İki fotoğraf da aynı yüzü gösteriyor.", "Belgeyi çevirin ve diğer yüzünü çekin."],
  "capture.no_face": ["Fotoğrafta yüzünüzü bulamadık.", "Telefonu göz hizasında tutun ve kameraya bakın."],
  "capture.several_faces": ["Fotoğrafta birden çok yüz var.", "Çerçevede yalnızca sizin olduğunuzdan emin olun."],
  "capture.face_too_small": ["Yüzünüz çok uzakta.", "Yüzünüz ovali doldurana kadar telefonu yaklaştırın."],
  "capture.face_turned": ["Yüzünüz yana dönük.", "Doğrudan kameraya bakın."],
  "capture.eyes_closed": ["Fotoğrafta gözleriniz kapalı.", "Gözlerinizi açık tutun ve yeniden deneyin."],
  "capture.attempt_reused": ["Bu deneme daha önce başka bir fotoğrafla gönderildi.", "Fotoğrafı yeniden çekin."],
  "capture.out_of_order": ["Önce başka bir adım var.", "Ekrandaki adımla devam edin."],
  "request.too_large": ["Dosya çok büyük.", "En çok 15 MB boyutunda bir fotoğraf gönderin."],
  "capture.no_colour": ["Fotoğraf siyah beyaz.", "Fotoğrafı renkli çekin."],
  "document.readers_disagree": ["Belgeyi kuşkuya yer bırakmadan okuyamadık.", person],
  "document.country_not_accepted": ["Bu ülkenin belgeleri burada kabul edilmiyor.", ask],
  "document.type_not_accepted": ["Bu tür belge burada kabul edilmiyor.", ask],
  "document.unsupported": ["Bu tür belgeyi henüz tanımıyoruz.", person],
  "document.unreadable": ["Belgeyi okuyamadık.", "Daha çok ışık kullanın, belgeyi düz koyun ve telefonu sabit tutun."],
  "document.mrz_missing": [
    "Harf ve < işaretlerinden oluşan satırlar eksik.",
    "Kenarındaki iki veya üç kod satırıyla birlikte sayfanın tamamını gösterin.",
  ],
  "document.mrz_invalid": [
    "Belgenin kod satırları birbirini tutmuyor.",
    "Kod satırlarında yansıma olmayan daha net bir fotoğraf çekin.",
  ],
  "document.expired": ["Bu belgenin süresi dolmuş.", "Hâlâ geçerli olan bir belgeyle yeniden başlayın."],
  "document.dates_implausible": ["Belgedeki bir tarihe yeniden bakmak gerekiyor.", person],
  "document.specimen": ["Bu bir örnek, gerçek bir belge değil.", "Kendi belgenizle yeniden başlayın."],
  "document.facts_disagree": ["Belgenin bölümleri farklı şeyler söylüyor.", person],
  "document.portrait_missing": [
    "Belgedeki fotoğrafı bulamadık.",
    "Fotoğrafınızın olduğu yüzü, üzerinde yansıma olmadan gösterin.",
  ],
  "document.screen_copy": ["Belgeye yeniden bakmak gerekiyor.", person],
  "document.paper_copy": ["Belgeye yeniden bakmak gerekiyor.", person],
  "document.portrait_altered": ["Belgeye yeniden bakmak gerekiyor.", person],
  "document.sides_differ": ["İki yüz birbirine ait değil.", person],
  "document.barcode_unreadable": ["Barkodu okuyamadık.", "Arka yüzün tamamının yansımasız, net bir fotoğrafını çekin."],
  "person.claim_mismatch": [
    "Belge, verilen bilgilerle uyuşmuyor.",
    "Bağlantıyı gönderenden bilgileri düzeltmesini isteyin.",
  ],
  "person.under_age": ["Bu hizmet için gereken en küçük yaşın altındasınız.", ask],
  "face.mismatch": [
    "Fotoğrafınız belgedeki fotoğrafa benzemiyor.",
    "Gözlük veya şapkayı çıkarın, eşit ışık bulun ve doğrudan kameraya bakın.",
  ],
  "face.uncertain": ["Fotoğrafların aynı kişiyi gösterdiğinden emin değiliz.", person],
  "face.not_comparable": ["Fotoğraflar karşılaştırılamıyor.", person],
  "liveness.failed": ["Fotoğrafı doğrulayamadık.", person],
  "liveness.challenge_missed": [
    "Hareketlerinizi izleyemedik.",
    "Eşit ışık bulun, yüzünüzü ovalde tutun ve başınızı gösterildiği gibi, gösterildiği anda çevirin.",
  ],
  "liveness.faces_differ": ["Fotoğrafı doğrulayamadık.", person],
  "liveness.replayed": ["Fotoğrafı doğrulayamadık.", person],
  "capture.injected": ["Fotoğrafı doğrulayamadık.", person],
  "challenge.expired": ["Bu kayıt artık kullanılamaz.", "Kaydı yeniden başlatın ve hareketleri izleyin."],
  "session.expired": ["Bu bağlantının süresi doldu.", "Gönderenden yeni bir bağlantı isteyin."],
  "session.finished": ["Bu doğrulama zaten bitti.", "Bu sayfayı kapatabilirsiniz."],
  "session.bound_elsewhere": [
    "Bu doğrulama başka bir cihazda veya tarayıcıda başladı.",
    "Orada devam edin ya da yeni bir bağlantı isteyin.",
  ],
  "session.attempts_exhausted": ["Bu adım için deneme hakkı kalmadı.", "Gönderdiklerinize bir insan bakacak."],
  "handoff.used": [
    "Bu kod zaten kullanıldı.",
    "Açıldığı yerde devam edin ya da onu gösteren cihazda yeni bir kod oluşturun.",
  ],
  "handoff.expired": ["Bu kod artık geçerli değil.", "Onu gösteren cihazda yenisini oluşturun."],
  "consent.declined": [
    "Kabul etmediniz; hiçbir şey incelenmedi ve hiçbir şey saklanmıyor.",
    "Bağlantıyı gönderene başka bir yol sorun.",
  ],
  "consent.missing": ["Önce onayınıza ihtiyacımız var.", "Onay sayfasını okuyun ve seçin."],
} as const satisfies ProblemWords;
