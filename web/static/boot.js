/* Language, direction and palette before the first paint. `?lang=` and `?theme=` hold for this tab only (wall screens). */
(function () {
	var query = new URLSearchParams(location.search);
	function choose(key, allowed, fallback) {
		try {
			var asked = query.get(key);
			if (allowed.indexOf(asked) >= 0) sessionStorage.setItem(key, asked);
			var chosen = sessionStorage.getItem(key) || localStorage.getItem(key);
			return allowed.indexOf(chosen) >= 0 ? chosen : fallback;
		} catch {
			return fallback;
		}
	}
	var root = document.documentElement;
	root.lang = choose('lang', ['ar', 'en'], 'ar');
	root.dir = root.lang === 'ar' ? 'rtl' : 'ltr';
	root.dataset.theme = choose(
		'theme',
		['day', 'night'],
		matchMedia('(prefers-color-scheme: light)').matches ? 'day' : 'night'
	);
})();
