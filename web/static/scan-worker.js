/*
 * Keeps the scanner's page on the device, so that it starts without a network. Its scope is /scan: it answers for that page
 * and the files of that build, and for nothing else. A build is kept whole or not at all, and a newer one waits until the
 * page says that nobody is being scanned.
 */
(function () {
	'use strict';
	/** Written by the build. */
	var shell = /* shell */ null; /* end */
	var prefix = 'marsad-scan-';
	var page = '/scan';
	var name = shell && prefix + shell.version;

	self.addEventListener('install', function (event) {
		event.waitUntil(shell ? keep() : Promise.resolve());
	});

	self.addEventListener('activate', function (event) {
		event.waitUntil(
			caches
				.keys()
				.then(function (names) {
					var old = names.filter(function (each) {
						return each.indexOf(prefix) === 0 && each !== name;
					});
					return Promise.all(
						old.map(function (each) {
							return caches.delete(each);
						})
					);
				})
				.then(function () {
					return self.clients.claim();
				})
		);
	});

	self.addEventListener('message', function (event) {
		if (event.data === 'take-over') self.skipWaiting();
	});

	self.addEventListener('fetch', function (event) {
		if (!shell || event.request.method !== 'GET') return;
		var url = new URL(event.request.url);
		if (url.origin !== self.location.origin) return;
		if (event.request.mode === 'navigate') {
			if (url.pathname === page) event.respondWith(fromCache(page, event.request));
		} else if (shell.files.indexOf(url.pathname) >= 0) {
			event.respondWith(fromCache(url.pathname, event.request));
		}
	});

	/** All files of this build, or none: what fails leaves the build before in its place. */
	function keep() {
		return caches.open(name).then(function (cache) {
			return keepPage(cache)
				.then(function () {
					return Promise.all(
						shell.files.map(function (file) {
							return fetch(file, { cache: 'no-cache' }).then(function (response) {
								if (!response.ok) throw new Error(file + ' answered ' + response.status);
								return cache.put(file, response);
							});
						})
					);
				})
				.catch(function (error) {
					return caches.delete(name).then(function () {
						throw error;
					});
				});
		});
	}

	/** The page must be of the same build as this list: during an update the server may answer with either. */
	function keepPage(cache) {
		return fetch(page, { cache: 'no-cache' }).then(function (response) {
			if (!response.ok) throw new Error(page + ' answered ' + response.status);
			return response
				.clone()
				.arrayBuffer()
				.then(function (bytes) {
					return crypto.subtle.digest('SHA-256', bytes);
				})
				.then(function (digest) {
					var hex = Array.from(new Uint8Array(digest), function (byte) {
						return byte.toString(16).padStart(2, '0');
					}).join('');
					if (hex !== shell.pageSha256) throw new Error('the page is of another build');
					return cache.put(page, response);
				});
		});
	}

	function fromCache(path, request) {
		return caches.open(name).then(function (cache) {
			return cache.match(path).then(function (kept) {
				return kept || fetch(request);
			});
		});
	}
})();
