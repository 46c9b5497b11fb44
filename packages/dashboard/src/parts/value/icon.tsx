import classes from './value.module.css';

/** Outlines on a 24 × 24 grid. */
const paths = {
  home: 'M4 11l8-7 8 7M6 10v10h12V10',
  payments: 'M3 6h18v12H3zM3 10h18',
  customers: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  repeat: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  dispute: 'M12 3l9 17H3zM12 10v4M12 17v.5',
  balance: 'M12 4v16M5 20h14M6 7h12M6 7l-3 7h6zM18 7l-3 7h6z',
  key: 'M15 9a4 4 0 1 0-3.5 4L4 20M8 16l3 3M15 9h.1',
  webhook: 'M4 12h6l2-6 3 12 2-6h3',
  route:
    'M5 21a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM5 17V9a4 4 0 0 1 4-4h9M14 1l4 4-4 4M9 21h12M18 18l3 3-3 3',
  list: 'M8 6h13M8 12h13M8 18h13M3 6h.1M3 12h.1M3 18h.1',
  flask: 'M9 3h6M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3',
  building: 'M5 21V4h10v17M15 10h5v11M8 8h4M8 12h4M8 16h4M3 21h18',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4',
  team: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2 20c0-4 3-6 7-6s7 2 7 6M16 4a3.5 3.5 0 0 1 0 7M18 14c3 1 4 3 4 6',
  audit: 'M6 3h9l4 4v14H6zM9 12h7M9 16h7M9 8h3',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13 5l-2 14',
  console: 'M3 4h18v16H3zM7 9l3 3-3 3M12 15h5',
  back: 'M20 12H5M11 5l-7 7 7 7',
  store: 'M4 4h16l1 6H3zM5 10v10h14V10M10 20v-6h4v6',
  checklist: 'M3 6l2 2 3-4M3 16l2 2 3-4M12 7h9M12 17h9',
  server: 'M4 4h16v7H4zM4 13h16v7H4zM8 7.5h.1M8 16.5h.1',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5l1 3h4l1-3h5',
  flag: 'M5 21V4h13l-3 4 3 4H5',
  unequal: 'M5 9h14M5 15h14M17 4L7 20',
  shield: 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6z',
  question: 'M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2M12 18v.1M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z',
  pulse: 'M3 12h4l3-8 4 16 3-8h4',
  copy: 'M8 8h12v12H8zM4 16V4h12',
  check: 'M5 12l5 5L20 7',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  columns: 'M4 4h16v16H4zM10 4v16M15 4v16',
  filter: 'M3 5h18l-7 8v6l-4 2v-8z',
  up: 'M12 20V4M6 10l6-6 6 6',
  down: 'M12 4v16M6 14l6 6 6-6',
  sun: 'M12 17a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M4 20l2-2M18 6l2-2',
  download: 'M12 3v12M7 10l5 5 5-5M4 21h16',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
} as const;

export type IconName = keyof typeof paths;

/** A decorative icon beside a text or in a labelled button. Hidden from screen readers. */
export const Icon = ({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) => (
  <svg
    className={classes.icon}
    width={size}
    height={size}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
  >
    <path d={paths[name]} />
  </svg>
);
