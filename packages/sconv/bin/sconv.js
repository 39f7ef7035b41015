#!/usr/bin/env node
import { endWith, sconv } from './commands.js';

await endWith(sconv);
