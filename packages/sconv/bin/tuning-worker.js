import { serveTuning } from './commands.js';

serveTuning();
