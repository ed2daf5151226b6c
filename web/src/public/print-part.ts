import { parts } from './parts.ts';
import { printPaper } from './print.ts';

parts().print = { printPaper };
