#!/usr/bin/env node
import { endWith, sconvLsp } from './commands.js';

await endWith(sconvLsp);
