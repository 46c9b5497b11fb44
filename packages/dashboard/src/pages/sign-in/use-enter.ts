import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Goes where the person was heading, who has signed in. Only addresses of the application itself: anybody may have written what leads here. */
export function useEnter(): () => Promise<void> {
  const { to = '/' } = useSearch({ strict: false }) as { to?: string };
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async () => {
    queries.clear();
    await navigate({ href: /^\/(?![/\\])/.test(to) ? to : '/' });
  };
}
