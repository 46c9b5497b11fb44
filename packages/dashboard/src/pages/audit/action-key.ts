/** Method and route of an action: `PATCH /v2/customers/:id`. */
interface Route {
  readonly method: string;
  readonly parts: readonly string[];
}

function routeOf(action: string): Route {
  const [method = '', path = ''] = action.split(' ');
  return { method, parts: path.split('/').filter((part) => part !== '' && !part.startsWith(':')) };
}

/** Types of the records in addresses of the dashboard. */
const types: Readonly<Record<string, string>> = {
  payments: 'payment_demands',
  subscriptions: 'payment_subscriptions',
};

/** Returns the type of the records that an action changes. */
export function typeOf(action: string): string | undefined {
  const [version, name = '', own = ''] = routeOf(action).parts;
  return version === 'v2' ? name : types[own];
}

/**
 * Returns the key of an action's text: `update_customers`, `void_payment_demands` or, for addresses of the dashboard,
 * `post_session_code`. `dry_run` says whether a created record is a preview; null if it is not known.
 */
export function actionKey(action: string, dry_run: boolean | null = null): string {
  const { method, parts } = routeOf(action);
  const [version, type = '', name] = parts;
  if (version !== 'v2') return [method.toLowerCase(), ...parts.slice(2)].join('_');
  if (dry_run !== null) return `${dry_run ? 'preview' : 'done'}_${type}`;
  return `${name ?? (method === 'POST' ? 'create' : 'update')}_${type}`;
}
