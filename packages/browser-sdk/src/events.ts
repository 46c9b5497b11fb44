import {
  type SdkEventDetail,
  type SdkEventName,
  sdkEventNames,
  terminalEventNames,
} from '@florin/contract/protocol/frame.ts';

/** Argument of a handler. Events are hints for the page; only the webhook is authoritative. */
export interface FlorinEvent<Name extends SdkEventName = SdkEventName> {
  readonly type: Name;
  readonly detail: SdkEventDetail;
}

export type FlorinHandler<Name extends SdkEventName> = (event: FlorinEvent<Name>) => void;

/**
 * Rejection of `verifyPaymentMethod` and `listenToPayment`. `type` is the event that ended the call, or
 * `destroyed`.
 */
export class FlorinError extends Error {
  override name = 'FlorinError';
  declare readonly type: SdkEventName | 'destroyed';
  declare readonly detail: SdkEventDetail;

  constructor(type: SdkEventName | 'destroyed', detail: SdkEventDetail) {
    super(detail.message ?? type);
    this.type = type;
    this.detail = detail;
  }
}

const isEventName = (name: unknown): name is SdkEventName =>
  (sdkEventNames as readonly unknown[]).includes(name);

/** Whether the event ends a payment attempt. */
export const isTerminal = (name: SdkEventName): boolean =>
  (terminalEventNames as readonly SdkEventName[]).includes(name);

/** A handler of one event. The same handler can be registered several times. */
interface Registration {
  readonly type: SdkEventName;
  readonly call: (event: FlorinEvent<never>) => void;
}

/** Creates a registry of handlers. A handler that throws is reported and does not stop the others. */
export function createEmitter() {
  const registrations = new Set<Registration>();
  return {
    /**
     * Returns a function that removes the handler. Throws an `Error` for an unknown event and a `TypeError` if the
     * handler is not a function.
     */
    on<Name extends SdkEventName>(type: Name, handler: FlorinHandler<Name>): () => void {
      if (!isEventName(type)) throw new Error(`Florin: there is no event "${type}".`);
      const registration = { type, call: handler.bind(undefined) };
      registrations.add(registration);
      return () => void registrations.delete(registration);
    },
    emit(type: SdkEventName, detail: SdkEventDetail): void {
      const event = { type, detail } as FlorinEvent<never>;
      for (const registration of [...registrations]) {
        try {
          if (registration.type === type) registration.call(event);
        } catch (error) {
          reportError(error);
        }
      }
    },
    clear: () => registrations.clear(),
  };
}
