import { registry } from './registry.ts';

export class Counter {
	readonly name: string;
	constructor(name: string) {
		this.name = name;
	}
	add(value: number): void {
		registry.count(this.name, value);
	}
}

export class Trend {
	readonly name: string;
	constructor(name: string, _isTime?: boolean) {
		this.name = name;
	}
	add(value: number): void {
		registry.trend(this.name, value);
	}
}
