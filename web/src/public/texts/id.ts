import type { Texts } from './texts.ts';

export const indonesian: Texts = {
	language: 'id',
	page: {
		title: 'Pemesanan izin',
		skip: 'Langsung ke isi',
		languages: 'Bahasa',
		simulated: 'SIMULASI: ini bukan pemesanan sungguhan',
		loading: 'Mohon tunggu sebentar…',
		noScript: {
			lines: [
				'JavaScript tidak aktif di peramban ini, sehingga halaman ini tidak dapat mengikuti giliran Anda sendiri.',
				'Anda tetap dapat mengambil giliran tanpa JavaScript: di halaman sederhana, tekan tombol untuk melihat sampai mana giliran Anda.',
				'Jika tidak bisa melanjutkan, mintalah bantuan di meja informasi penyelenggara.'
			],
			link: 'Lanjutkan tanpa JavaScript'
		},
		start: {
			expectations: [
				'Anda mendapat giliran yang disimpan untuk Anda, juga bila sambungan terputus atau halaman ini ditutup.',
				'Saat giliran Anda tiba, halaman ini memberi tahu, dan Anda punya beberapa menit untuk mulai memesan.',
				'Anda memilih satu jadwal dan menerima izin Anda di sini.'
			],
			party: 'Anda memesan untuk berapa orang?',
			partyHint: 'Satu rombongan masuk bersama dengan satu izin.',
			prepare: 'Siapkan sekarang',
			signInHint: 'Anda dapat masuk akun sekarang, atau saat giliran Anda tiba.'
		},
		signIn: 'Masuk akun',
		signOut: 'Keluar akun',
		registered: {
			opens: 'Urutan diundi pada',
			keep: 'Anda tidak perlu tetap di halaman ini atau memuat ulang. Pendaftaran Anda tersimpan di peramban ini.',
			recheck: 'Cara siapa pun memeriksa undian'
		},
		waiting: {
			heading: 'Anda berada di ruang tunggu dan giliran Anda disimpan',
			progress: 'Sejauh mana giliran Anda maju',
			expectedTime: 'Perkiraan waktu tunggu',
			keep: 'Halaman ini tidak perlu dimuat ulang. Bila sambungan terputus atau halaman ditutup, giliran Anda tetap disimpan. Saat giliran tiba, Anda punya beberapa menit untuk mulai memesan.',
			number: 'Nomor giliran',
			updated: 'Diperbarui'
		},
		leave: 'Lepaskan giliran saya',
		called: {
			heading: 'Giliran Anda tiba',
			lead: 'Mulai memesan dalam',
			claim: 'Mulai memesan',
			late: 'Jika waktu habis sebelum Anda mulai, bergabunglah lagi: Anda didahulukan dari pendatang baru.'
		},
		choosing: {
			timeLeft: 'Selesaikan pemesanan dalam',
			none: 'Saat ini tidak ada jadwal. Kami memeriksa lagi secara otomatis.',
			back: 'Biarkan pemesanan saya'
		},
		booked: {
			heading: 'Sudah dipesan: inilah izin Anda',
			place: 'Tempat',
			day: 'Hari',
			hours: 'Jam',
			party: 'Rombongan',
			id: 'Nomor izin',
			picture: 'Denah tempat',
			qr: 'Kode izin untuk pemindai di gerbang',
			keep: 'Tunjukkan kode ini di gerbang. Anda dapat kembali ke halaman ini atau mencetak izin.',
			print: 'Cetak izin',
			change: 'Ubah jadwal',
			cancel: 'Batalkan pemesanan'
		},
		off: {
			images: 'Gambar dimatikan untuk sementara. Izin Anda tetap ditampilkan seperti biasa.',
			recommendations: 'Jadwal lain tidak disarankan untuk sementara: pilih dari daftar.',
			'places-left':
				'Jumlah tempat tersisa tidak ditampilkan untuk sementara; jadwal yang penuh diberi tanda.',
			'fast-polls': 'Halaman ini diperbarui lebih jarang untuk sementara. Tempat Anda tetap tersimpan.',
			'change-slot':
				'Jadwal tidak dapat diubah untuk sementara. Pemesanan Anda tetap berlaku dan dapat Anda batalkan.',
			'slot-search': 'Daftar ini mungkin terlambat beberapa detik untuk sementara.'
		},
		ended: { join: 'Bergabung lagi' }
	},
	live: {
		locale: 'id-u-nu-latn',
		placeNames: 'en',
		titles: {
			start: 'Pemesanan izin',
			registered: 'Terdaftar',
			waiting: 'Menunggu',
			called: '✔ Giliran Anda tiba',
			choosing: 'Pilih jadwal Anda',
			booked: 'Izin Anda',
			ended: 'Giliran Anda berakhir'
		},
		headings: {
			open: 'Bergabunglah di ruang tunggu untuk memesan',
			countdown: 'Pemesanan belum dibuka',
			drawing: 'Urutan sedang diundi',
			closed: 'Ruang tunggu ditutup',
			registered: 'Anda sudah terdaftar',
			'registered-late': 'Anda terdaftar setelah daftar ditutup',
			choosing: 'Pilih jadwal Anda',
			changing: 'Pilih jadwal lain'
		},
		choosingLead: 'Tekan jadwal untuk memesannya.',
		changingLead: 'Pemesanan Anda tetap berlaku sampai jadwal baru menjadi milik Anda.',
		join: 'Bergabung di ruang tunggu',
		register: 'Daftar untuk undian',
		opensAt: '{date} pukul {time} menurut jam Anda',
		opensIn: '{n} lagi',
		equalChance:
			'Semua yang mendaftar sebelum waktu itu punya peluang yang sama: urutan ditentukan dengan undian. Datang lebih awal tidak menguntungkan.',
		firstCome: 'Giliran dibagikan mulai waktu itu. Anda tidak perlu menunggu di halaman ini.',
		registeredCount: { other: '{n} orang sudah mendaftar' },
		registeredLate: 'Anda berada setelah peserta undian, menurut urutan pendaftaran. Giliran Anda disimpan.',
		drawing: 'Ini hanya sebentar. Setelah itu giliran Anda muncul di sini dengan sendirinya.',
		prepared: 'Anda sudah siap: kami mengenali Anda saat giliran tiba.',
		notPrepared: 'Anda belum siap. Siapkan sekarang agar pemesanan cepat saat giliran Anda tiba.',
		ahead: 'Di depan Anda',
		aheadAbout: 'Di depan Anda sekitar',
		people: { other: 'orang' },
		nobodyAhead: 'Tidak ada orang di depan Anda: Anda berikutnya',
		unknownTime: 'belum diketahui saat ini',
		almostNow: 'kurang dari satu menit',
		lessThan: 'kurang dari {high}',
		about: 'sekitar {high}',
		between: '{low} sampai {high}',
		oneToTwoMinutes: '1 sampai 2 menit',
		oneToTwoHours: '1 sampai 2 jam',
		minutes: { other: '{n} menit' },
		hours: { other: '{n} jam' },
		days: { other: '{n} hari' },
		soon: 'Giliran Anda sudah dekat. Biarkan halaman ini terlihat.',
		rose: 'Perkiraan waktu tunggu bertambah {by} {why}',
		roseLittle: 'Perkiraan waktu tunggu bertambah sedikit {why}',
		slowedBy: {
			level: 'karena kami meringankan beban agar pemesanan tetap terbuka bagi semua.',
			health: 'karena kami memperlambat giliran agar pemesanan tetap cepat.',
			manager: 'karena tim operasi memperlambat giliran.',
			full: 'karena mereka yang gilirannya tiba masih memesan.',
			other: 'karena lebih sedikit orang per detik yang dipersilakan memesan.'
		},
		standing: {
			paused: 'Giliran memesan dihentikan sementara. Giliran Anda disimpan.',
			closed: 'Pemesanan dihentikan sementara. Giliran Anda disimpan.'
		},
		soldOut: 'Semua tempat sudah terisi saat ini. Tempat yang dikembalikan akan muncul di sini.',
		otherDays: 'Masih ada tempat pada: {days}.',
		retryIn: 'Kami mencoba lagi dalam {n}.',
		retryNow: 'Sedang mencoba…',
		seconds: { other: '{n} detik' },
		notices: {
			offline: 'Sambungan terputus. Giliran Anda disimpan dan halaman tidak perlu dimuat ulang.',
			busy: 'Saat ini sangat ramai. Giliran Anda disimpan.',
			'queue-full': 'Ruang tunggu penuh saat ini.',
			'joins-closed': 'Saat ini tidak ada giliran baru. Giliran yang sudah ada tetap disimpan.',
			'booking-closed': 'Pemesanan dihentikan sementara. Giliran Anda disimpan.',
			verification:
				'Saat ini hanya izin yang diperiksa di gerbang. Giliran Anda disimpan, dan izin Anda tetap berlaku.',
			'not-open-yet': 'Ruang tunggu belum dibuka.',
			closed: 'Ruang tunggu sudah ditutup dan tidak memberi giliran baru.',
			'slot-full': 'Jadwal ini penuh sebelum sempat dipesan untuk Anda. Pilih yang lain: masih giliran Anda.',
			'quota-full':
				'Tempat yang disediakan untuk kelompok Anda pada jadwal ini sudah terisi. Pilih yang lain: masih giliran Anda.',
			'place-filling':
				'Tempat ini sangat ramai saat ini, sehingga pemesanan untuk beberapa jam ke depan diperlambat. Pilih jadwal lain atau coba lagi sebentar lagi.',
			'already-booked': 'Anda sudah punya izin: yang ini.',
			'not-eligible':
				'Anda tidak dapat memesan: pemeriksaan kelayakan tidak menerima permintaan ini. Tanyakan kepada penyelenggara.',
			'no-identity':
				'Kami tidak tahu siapa yang memesan. Masuklah di situs penyelenggara dan buka halaman ini dari sana.',
			'sign-in-off':
				'Masuk akun belum disiapkan di situs ini, sehingga tidak ada yang dapat dipesan di sini. Mohon beri tahu penyelenggara.',
			'sign-in-away':
				'Layanan masuk akun tidak menjawab saat ini. Anda dapat mengambil giliran dan masuk akun saat giliran tiba.',
			'sign-in-first': 'Silakan masuk akun lebih dahulu.',
			'sign-in-failed': 'Masuk akun tidak berhasil. Silakan coba sekali lagi.',
			'signed-out': 'Masa masuk akun Anda habis. Giliran Anda disimpan: silakan masuk lagi.',
			'no-storage':
				'Peramban ini tidak menyimpan apa pun. Giliran Anda hanya ada selama halaman ini terbuka: biarkan terbuka, atau pakai jendela biasa.',
			cancelled: 'Pemesanan dibatalkan dan tempatnya kembali untuk orang lain.',
			changed: 'Pemesanan Anda sudah diubah. Izin yang lama tidak berlaku lagi.',
			'change-off': 'Jadwal tidak dapat diubah saat ini. Pemesanan Anda tetap seperti semula.',
			left: 'Anda melepaskan giliran Anda.',
			'pass-turn': 'Izin memesan Anda segera diberikan.',
			failed: 'Ada kesalahan di pihak kami. Giliran Anda disimpan.'
		},
		reason: 'Alasan: {reason}',
		endings: {
			'turn-expired': {
				heading: 'Giliran Anda terlewat',
				text: 'Giliran Anda tiba tetapi pemesanan tidak dimulai tepat waktu. Bergabunglah lagi: Anda didahulukan dari pendatang baru.'
			},
			'pass-expired': {
				heading: 'Waktu memesan sudah habis',
				text: 'Waktu habis sebelum pemesanan selesai. Bergabunglah lagi untuk mendapat giliran lain.'
			},
			restarted: {
				heading: 'Ruang tunggu dimulai ulang',
				text: 'Giliran sebelumnya tidak berlaku lagi. Bergabunglah lagi untuk mendapat giliran.'
			},
			'not-yours': {
				heading: 'Giliran ini bukan milik peramban ini',
				text: 'Giliran yang tersimpan di sini milik orang lain atau sudah tidak ada. Bergabunglah untuk mendapat giliran sendiri.'
			}
		},
		questions: {
			cancel: {
				heading: 'Batalkan pemesanan ini?',
				lead: 'Tempat Anda kembali untuk orang lain dan izin ini tidak berlaku untuk masuk. Untuk memesan lagi, Anda bergabung di ruang tunggu.',
				yes: 'Ya, batalkan pemesanan',
				no: 'Tidak, simpan pemesanan'
			},
			leave: {
				heading: 'Lepaskan giliran Anda?',
				lead: 'Giliran ini tidak dapat diminta kembali. Bila bergabung lagi nanti, Anda mulai dari belakang.',
				yes: 'Ya, lepaskan',
				no: 'Tidak, simpan giliran saya'
			},
			change: {
				heading: 'Ubah ke jadwal ini?',
				lead: '{slot}. Anda menerima izin baru, dan izin yang sekarang tidak berlaku lagi.',
				yes: 'Ya, ubah',
				no: 'Tidak, kembali'
			}
		},
		placesLeft: { other: '{n} tempat tersisa' },
		full: 'penuh',
		offered: 'tersedia sebagai ganti',
		hoursFromTo: '{from} sampai {to}',
		gregorian: '{date} (Masehi)',
		hijri: '{date} (Hijriah, Ummul Qura)',
		partyOf: { other: '{n} orang' },
		working: 'Mohon tunggu sebentar…'
	}
};
