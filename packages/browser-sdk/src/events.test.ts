import { afterEach, describe, expect, it, vi } from 'vitest';
import { createEmitter } from './events.ts';

afterEach(() => vi.unstubAllGlobals());

describe('createEmitter', () => {
  it('gives a handler the type and detail of its own event only', () => {
    const emitter = createEmitter();
    const receivedEvents: unknown[] = [];
    emitter.on('payment_approved', (event) => receivedEvents.push(event));
    emitter.emit('payment_failed', { code: 'lost_card' });
    emitter.emit('payment_approved', { payment_demand: 'p' });
    expect(receivedEvents).toEqual([{ type: 'payment_approved', detail: { payment_demand: 'p' } }]);
  });

  it('removes one registration of a handler that is registered twice', () => {
    const emitter = createEmitter();
    const handler = vi.fn();
    emitter.on('payment_failed', handler);
    const unsubscribe = emitter.on('payment_failed', handler);
    unsubscribe();
    unsubscribe();
    emitter.emit('payment_failed', {});
    expect(handler).toHaveBeenCalledTimes(1);
  });

  it('reports a handler that throws and calls the others', () => {
    const report = vi.fn();
    vi.stubGlobal('reportError', report);
    const emitter = createEmitter();
    const other = vi.fn();
    const fault = new Error('a bug of the shop');
    emitter.on('payment_failed', () => {
      throw fault;
    });
    emitter.on('payment_failed', other);
    emitter.emit('payment_failed', {});
    expect(other).toHaveBeenCalledTimes(1);
    expect(report).toHaveBeenCalledWith(fault);
  });

  it('refuses a handler that is not a function', () => {
    const handler = undefined as unknown as () => void;
    expect(() => createEmitter().on('payment_failed', handler)).toThrow(TypeError);
  });

  it('refuses an unknown event, naming it', () => {
    const name = 'payment_aproved' as 'payment_approved';
    expect(() => createEmitter().on(name, () => {})).toThrow('"payment_aproved"');
  });
});
