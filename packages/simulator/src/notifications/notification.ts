/** Contents that a stand-in can compose a notification with. */
export type NotificationVariant = 'valid' | 'wrong_signature' | 'unknown_type' | 'malformed';

/** A notification to a receiver. */
export interface Notification {
  readonly url: string;
  /** Type of the event, by which faults select notifications. */
  readonly event: string;
  /** Record that the event is about, by which faults select notifications. */
  readonly subject: string;
  /** Time before the first attempt. Default: 0. */
  readonly delayMs?: number;
  /** Body as text, with headers such as the signature. */
  compose(variant: NotificationVariant): {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
}
