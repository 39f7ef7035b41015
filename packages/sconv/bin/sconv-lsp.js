#!/usr/bin/env node
import { endWith, sconvLsp } from './language-server.js';

await endWith(sconvLsp);
