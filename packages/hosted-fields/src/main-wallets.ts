import { wallets } from './payment/wallets.ts';
import { start } from './start.ts';

start({ wallets });
