import { servePeerStart } from './commands.js';

servePeerStart();
