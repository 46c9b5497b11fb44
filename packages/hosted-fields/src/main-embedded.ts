import { embed } from './form/embedded.ts';
import { start } from './start.ts';

start({ embed });
