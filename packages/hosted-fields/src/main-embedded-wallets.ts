import { embed } from './form/embedded.ts';
import { wallets } from './payment/wallets.ts';
import { start } from './start.ts';

start({ embed, wallets });
