import type { Texts } from './texts.ts';

export const turkish: Texts = {
	language: 'tr',
	page: {
		title: 'İzin randevusu',
		skip: 'İçeriğe geç',
		languages: 'Diller',
		simulated: 'BENZETİM: bu gerçek bir randevu değildir',
		loading: 'Bir dakika lütfen…',
		noScript: {
			lines: [
				'Bu tarayıcıda JavaScript kapalı; bu yüzden sayfa sıranızı kendiliğinden izleyemez.',
				'JavaScript olmadan da sıra alabilirsiniz: sade sayfada bir düğmeye basarak sıranızın nereye geldiğini görürsünüz.',
				'Devam edemiyorsanız düzenleyenin danışma masasından yardım isteyin.'
			],
			link: 'JavaScript olmadan devam et'
		},
		start: {
			expectations: [
				'Bağlantı kopsa ya da bu sayfayı kapatsanız bile sizin için saklanan bir sıra alırsınız.',
				'Sıranız gelince bu sayfa size haber verir; randevuya başlamak için birkaç dakikanız olur.',
				'Bir saat seçersiniz ve izninizi burada alırsınız.'
			],
			party: 'Kaç kişi için randevu alıyorsunuz?',
			partyHint: 'Grup, tek bir izinle birlikte girer.',
			prepare: 'Şimdi hazırlan',
			signInHint: 'Şimdi ya da sıranız gelince oturum açabilirsiniz.'
		},
		signIn: 'Oturum aç',
		signOut: 'Oturumu kapat',
		registered: {
			opens: 'Sıranın kurayla belirleneceği zaman',
			keep: 'Bu sayfada kalmanıza ya da sayfayı yenilemenize gerek yok. Kaydınız bu tarayıcıda saklanıyor.',
			recheck: 'Kurayı herkes nasıl denetleyebilir'
		},
		waiting: {
			heading: 'Bekleme odasındasınız ve sıranız saklanıyor',
			progress: 'Sıranızın ne kadar ilerlediği',
			expectedTime: 'Tahmini bekleme',
			keep: 'Bu sayfayı yenilemenize gerek yok. Bağlantı kopsa ya da sayfayı kapatsanız da sıranız saklanır. Sıranız gelince randevuya başlamak için birkaç dakikanız olur.',
			number: 'Sıra numarası',
			updated: 'Güncellendi'
		},
		leave: 'Sıramdan vazgeç',
		called: {
			heading: 'Sıranız geldi',
			lead: 'Randevuya başlamak için kalan süre',
			claim: 'Randevuya başla',
			late: 'Başlamadan süre dolarsa yeniden katılın: o zaman yeni gelenlerden önce olursunuz.'
		},
		choosing: {
			timeLeft: 'Randevuyu bitirmek için kalan süre',
			none: 'Şu anda uygun saat yok. Kendiliğinden yeniden bakıyoruz.',
			back: 'Randevum olduğu gibi kalsın'
		},
		booked: {
			heading: 'Randevu alındı: izniniz bu',
			place: 'Yer',
			day: 'Gün',
			hours: 'Saat',
			party: 'Grup',
			id: 'İzin numarası',
			picture: 'Yerin krokisi',
			qr: 'Kapıdaki okuyucu için izin kodu',
			keep: 'Bu kodu kapıda gösterin. Bu sayfaya geri dönebilir ya da izni yazdırabilirsiniz.',
			print: 'İzni yazdır',
			change: 'Saati değiştir',
			cancel: 'Randevuyu iptal et'
		},
		off: {
			images: 'Resimler bir süre kapalı. İzniniz her zamanki gibi gösterilir.',
			recommendations: 'Bir süre başka saat önerilmez: listeden seçin.',
			'places-left': 'Kalan yer sayısı bir süre gösterilmez; dolu saatler işaretlidir.',
			'fast-polls': 'Bu sayfa bir süre daha seyrek yenilenir. Yeriniz korunur.',
			'change-slot': 'Saatler bir süre değiştirilemez. Randevunuz durur, isterseniz iptal edebilirsiniz.',
			'slot-search': 'Bu liste bir süre birkaç saniye eski olabilir.'
		},
		ended: { join: 'Yeniden katıl' }
	},
	live: {
		locale: 'tr-u-nu-latn',
		placeNames: 'en',
		titles: {
			start: 'İzin randevusu',
			registered: 'Kaydoldunuz',
			waiting: 'Beklemede',
			called: '✔ Sıranız geldi',
			choosing: 'Saatinizi seçin',
			booked: 'İzniniz',
			ended: 'Sıranız sona erdi'
		},
		headings: {
			open: 'Randevu için bekleme odasına katılın',
			countdown: 'Randevular henüz açılmadı',
			drawing: 'Sıra için kura çekiliyor',
			closed: 'Bekleme odası kapalı',
			registered: 'Kaydoldunuz',
			'registered-late': 'Liste kapandıktan sonra kaydoldunuz',
			choosing: 'Saatinizi seçin',
			changing: 'Başka bir saat seçin'
		},
		choosingLead: 'Almak istediğiniz saate basın.',
		changingLead: 'Yeni saat sizin olana kadar randevunuz olduğu gibi kalır.',
		join: 'Bekleme odasına katıl',
		register: 'Kuraya kaydol',
		opensAt: '{date}, sizin saatinizle {time}',
		opensIn: '{n} sonra',
		equalChance:
			'O zamana kadar kaydolan herkesin şansı aynıdır: sıra kurayla belirlenir. Erken gelmek üstünlük sağlamaz.',
		firstCome: 'Sıralar o zamandan başlayarak verilir. Bu sayfada beklemenize gerek yok.',
		registeredCount: { one: '{n} kişi kaydoldu', other: '{n} kişi kaydoldu' },
		registeredLate: 'Kuraya katılanlardan sonra, kayıt sıranıza göre gelirsiniz. Sıranız saklanıyor.',
		drawing: 'Bu kısa sürer. Sonra sıranız burada kendiliğinden görünür.',
		prepared: 'Hazırsınız: sıranız geldiğinde kim olduğunuzu biliyoruz.',
		notPrepared: 'Henüz hazır değilsiniz. Sıranız gelince randevu çabuk olsun diye şimdi hazırlanın.',
		ahead: 'Önünüzde',
		aheadAbout: 'Önünüzde yaklaşık',
		people: { one: 'kişi', other: 'kişi' },
		nobodyAhead: 'Önünüzde kimse yok: sıradaki sizsiniz',
		unknownTime: 'şu anda bilinmiyor',
		almostNow: 'bir dakikadan az',
		lessThan: 'en fazla {high}',
		about: 'yaklaşık {high}',
		between: '{low} ile {high} arası',
		oneToTwoMinutes: '1 ile 2 dakika arası',
		oneToTwoHours: '1 ile 2 saat arası',
		minutes: { one: '{n} dakika', other: '{n} dakika' },
		hours: { one: '{n} saat', other: '{n} saat' },
		days: { one: '{n} gün', other: '{n} gün' },
		soon: 'Sıranız yaklaştı. Bu sayfayı açık tutun.',
		rose: 'Tahmini bekleme {by} arttı {why}',
		roseLittle: 'Tahmini bekleme biraz arttı {why}',
		slowedBy: {
			level: 'çünkü randevular herkese açık kalsın diye yükü hafiflettik.',
			health: 'çünkü randevular hızlı kalsın diye girişi yavaşlattık.',
			manager: 'çünkü görevli ekip girişi yavaşlattı.',
			full: 'çünkü sırası gelenler hâlâ randevu alıyor.',
			other: 'çünkü saniyede daha az kişi randevuya alınıyor.'
		},
		standing: {
			paused: 'Randevuya giriş bir süreliğine durdu. Sıranız saklanıyor.',
			closed: 'Randevu bir süreliğine durdu. Sıranız saklanıyor.'
		},
		soldOut: 'Şu anda bütün yerler dolu. Geri verilen bir yer burada görünür.',
		otherDays: 'Şu günlerde hâlâ yer var: {days}.',
		retryIn: '{n} içinde yeniden deneyeceğiz.',
		retryNow: 'Deneniyor…',
		seconds: { one: '{n} saniye', other: '{n} saniye' },
		notices: {
			offline: 'Bağlantı koptu. Sıranız saklanıyor, sayfayı yenilemenize gerek yok.',
			busy: 'Şu anda çok yoğun. Sıranız saklanıyor.',
			'queue-full': 'Bekleme odası şu anda dolu.',
			'joins-closed': 'Şu anda yeni sıra verilmiyor. Sırası olanın sırası saklanıyor.',
			'booking-closed': 'Randevu bir süreliğine durdu. Sıranız saklanıyor.',
			verification: 'Şu anda kapılarda yalnızca izinler denetleniyor. Sıranız saklanıyor, izniniz geçerli.',
			'not-open-yet': 'Bekleme odası henüz açılmadı.',
			closed: 'Bekleme odası kapandı; yeni sıra verilmiyor.',
			'slot-full': 'Bu saat sizin için alınamadan doldu. Başka bir saat seçin: sıra hâlâ sizde.',
			'quota-full': 'Bu saatte grubunuza ayrılan yerler doldu. Başka bir saat seçin: sıra hâlâ sizde.',
			'place-filling':
				'Burası şu anda çok kalabalık; bu yüzden yakın saatler için randevular yavaşlatıldı. Başka bir saat seçin ya da biraz sonra yeniden deneyin.',
			'already-booked': 'Zaten bir izniniz var: bu.',
			'not-eligible': 'Randevu alınamıyor: uygunluk denetimi isteği kabul etmedi. Düzenleyene danışın.',
			'no-identity':
				'Randevuyu kimin aldığını bilmiyoruz. Düzenleyenin sitesinde oturum açıp bu sayfayı oradan açın.',
			'sign-in-off':
				'Bu sitede oturum açma kurulmamış; bu yüzden buradan randevu alınamaz. Lütfen düzenleyene bildirin.',
			'sign-in-away':
				'Oturum açma hizmeti şu anda yanıt vermiyor. Sıra alıp sıranız gelince oturum açabilirsiniz.',
			'sign-in-first': 'Lütfen önce oturum açın.',
			'sign-in-failed': 'Oturum açılamadı. Lütfen bir kez daha deneyin.',
			'signed-out': 'Oturumunuzun süresi doldu. Sıranız saklanıyor: lütfen yeniden oturum açın.',
			'no-storage':
				'Bu tarayıcı hiçbir şey saklamıyor. Sıranız yalnızca bu sayfa açık kaldıkça durur: sayfayı açık bırakın ya da olağan bir pencere kullanın.',
			cancelled: 'Randevu iptal edildi, yer başkalarına geri verildi.',
			changed: 'Randevunuz değiştirildi. Eski izin artık geçerli değil.',
			'change-off': 'Şu anda değiştirilemiyor. Randevunuz olduğu gibi duruyor.',
			left: 'Sıranızdan vazgeçtiniz.',
			'pass-turn': 'Randevu hakkınız birazdan verilecek.',
			failed: 'Bizde bir hata oldu. Sıranız saklanıyor.'
		},
		reason: 'Bildirilen neden: {reason}',
		endings: {
			'turn-expired': {
				heading: 'Sıranız geçti',
				text: 'Sıranız geldi ama randevuya zamanında başlanmadı. Yeniden katılın: o zaman yeni gelenlerden önce olursunuz.'
			},
			'pass-expired': {
				heading: 'Randevu süresi doldu',
				text: 'Randevu tamamlanmadan süre doldu. Yeni bir sıra için yeniden katılın.'
			},
			restarted: {
				heading: 'Bekleme odası yeniden başlatıldı',
				text: 'Önceki sıra artık geçerli değil. Sıra almak için yeniden katılın.'
			},
			'not-yours': {
				heading: 'Bu sıra bu tarayıcıya ait değil',
				text: 'Burada saklanan sıra başkasının ya da artık yok. Kendi sıranızı almak için katılın.'
			}
		},
		questions: {
			cancel: {
				heading: 'Bu randevu iptal edilsin mi?',
				lead: 'Yeriniz başkalarına verilir ve bu izinle giremezsiniz. Yeniden randevu için bekleme odasına katılırsınız.',
				yes: 'Evet, randevuyu iptal et',
				no: 'Hayır, randevu kalsın'
			},
			leave: {
				heading: 'Sıranızdan vazgeçiyor musunuz?',
				lead: 'Bu sıra geri alınamaz. Sonra yeniden katılırsanız en sondan başlarsınız.',
				yes: 'Evet, vazgeç',
				no: 'Hayır, sıram kalsın'
			},
			change: {
				heading: 'Bu saate değiştirilsin mi?',
				lead: '{slot}. Yeni bir izin alırsınız ve şimdiki artık geçerli olmaz.',
				yes: 'Evet, değiştir',
				no: 'Hayır, geri dön'
			}
		},
		placesLeft: { one: '{n} yer kaldı', other: '{n} yer kaldı' },
		full: 'dolu',
		offered: 'bunun yerine uygun',
		hoursFromTo: '{from} ile {to} arası',
		gregorian: '{date} (Miladi)',
		hijri: '{date} (Hicri, Ümmülkura)',
		partyOf: { one: '{n} kişi', other: '{n} kişi' },
		working: 'Bir dakika lütfen…'
	}
};
