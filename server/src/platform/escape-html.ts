/** Text as HTML shows it, in elements and in quoted attributes. */
export function escapeHtml(text: string): string {
	const names: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' };
	return text.replace(/[&<>"']/g, (char) => `&${names[char]};`);
}
