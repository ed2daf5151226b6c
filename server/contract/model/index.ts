/** The one model of queue and zones: preview, planner, expected times, simulators. Pure, no clock, no chance of its own. */
export * from './plan.ts';
export { runModel, type DrawNumber, type ModelRun, type Series } from './run.ts';
export { readRun, type Bottleneck, type RunReading } from './read-run.ts';
export * from './next-ninety.ts';
export { scorePrediction, type PredictionScore } from './score.ts';
