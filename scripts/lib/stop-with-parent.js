// Preloaded (node --import) into every process that another one of ours starts with an IPC channel: when that one
// is gone, even by kill -9, the channel closes, and this process is told to stop as by a signal.
const patienceMs = 40_000;

if (process.channel) {
	process.once('disconnect', () => {
		setTimeout(() => process.exit(1), patienceMs).unref();
		process.kill(process.pid, 'SIGTERM');
	});
	// Listening must not keep a process alive whose work is done.
	process.channel.unref();
}
