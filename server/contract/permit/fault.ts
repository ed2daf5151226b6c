/** Where a text or a list stopped being one of ours, from the outside in. */
export type PermitLayer = 'prefix' | 'base45' | 'cbor' | 'envelope' | 'claims';

/** Something is not in the one form that this format allows. Readers give it back as an outcome, never throw it. */
export class PermitFault extends Error {
	readonly layer: PermitLayer;
	constructor(layer: PermitLayer, message: string) {
		super(message);
		this.layer = layer;
	}
}
