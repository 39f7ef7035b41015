#!/usr/bin/env node
import { endWith, sconvOpt } from './commands.js';

await endWith(sconvOpt);
