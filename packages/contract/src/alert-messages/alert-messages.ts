/** Parameters of each message to a merchant's members. The folder `texts` has the messages by language. */
export const alertParameters = {
  card_testing: ['token', 'until'],
  merchant_approved: [],
  merchant_approved_without_processor: [],
  merchant_banned: ['reason'],
  merchant_quarantined: ['reason'],
  merchant_released: ['reason'],
  payment_confirmed_without_checks: ['payment'],
  red_flag_cleared: ['violation', 'reason'],
  red_flag_penalized: ['violation', 'reason'],
  red_flag_raised: ['violation', 'reason'],
  red_flag_warned: ['violation', 'reason'],
  webhook_backlog_stopped: ['host'],
  webhook_subscription_paused: ['host', 'since'],
} as const satisfies Readonly<Record<string, readonly AlertParameter[]>>;

/** `since` and `until` are instants, and `violation` is one of a red flag. People wrote `reason`. */
type AlertParameter = 'host' | 'payment' | 'reason' | 'since' | 'token' | 'until' | 'violation';

export type AlertMessageCode = keyof typeof alertParameters;

/** A message by its code, with a value for each of its parameters. */
export type AlertMessage = {
  readonly [Code in AlertMessageCode]: {
    readonly code: Code;
    readonly parameters: Readonly<Record<(typeof alertParameters)[Code][number], string>>;
  };
}[AlertMessageCode];

/** A message as it is stored: an older process may have written a code that is unknown here. */
export interface StoredAlertMessage {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** How a reader's language writes parameters that are not texts. */
export interface ParameterFormats {
  instant(at: string): string;
  violation(name: string): string;
}

/** Returns the parameters as texts, for the placeholders of the message. */
export const alertValues = (
  parameters: Readonly<Record<string, string>>,
  { instant, violation }: ParameterFormats,
): Readonly<Record<string, string>> => {
  const formats: Readonly<Partial<Record<string, (value: string) => string>>> = {
    since: instant,
    until: instant,
    violation,
  };
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, formats[name]?.(value) ?? value]),
  );
};
