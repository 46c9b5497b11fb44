import log from 'loglevel';
import emulator from 'stripe-stateful-mock';
import { serve } from './serve.mjs';

log.setLevel('silent');
serve(emulator.createExpressApp());
