import { within } from './room.ts'

/** The rooms of the web app, lowest first. */
export const web = within('web/app/', [
  ['+types', ''],
  ['StillPage.ts', ''],
  ['configuration.ts', 'contract'],
  ['plans.ts', 'contract configuration.ts'],
  ['connection.ts', ''],
  ['storage.ts', ''],
  ['i18n', 'contract'],
  ['theme', 'i18n'],
  ['loading', 'i18n'],
  ['api/http', 'contract configuration.ts connection.ts storage.ts i18n loading/missing.ts'],
  ['api', 'contract plans.ts i18n loading/missing.ts api/http'],
  [
    'ui',
    'contract configuration.ts connection.ts storage.ts i18n loading/missing.ts api/http/errors.ts',
  ],
  ['ui/chart', 'contract i18n loading ui'],
  [
    'session',
    `contract storage.ts i18n loading/onceIdle.ts loading/missing.ts api/http api ui/hiddenAmounts.ts
    ui/toasts.ts`,
  ],
  ['forms', 'contract configuration.ts i18n api/http/errors.ts ui'],
  ['tables', 'contract i18n loading api/http ui'],
  ['layout', 'contract configuration.ts connection.ts i18n ui'],
  ['layout/shortcuts', 'contract storage.ts i18n forms layout/map.ts'],
  ['panels/idle', 'contract i18n loading/NotLoaded.tsx session'],
  ['panels/paidBy', 'contract i18n api ui'],
  ['panels/notices', 'contract i18n loading api/http api ui'],
  [
    'panels/account',
    `configuration.ts i18n loading api/http api ui session layout/shortcuts layout
    panels/notices`,
  ],
  [
    'panels/map',
    `contract configuration.ts storage.ts i18n loading api/http api ui session forms
    layout/shortcuts layout`,
  ],
  ['panels/staffPage', 'i18n session layout/shortcuts layout panels/account'],
  ['panels/mailedLink', 'configuration.ts i18n loading api/http layout'],
  ['panels/factor', 'contract i18n api/http api forms'],
  ['panels/pauses', 'contract i18n api/http api ui forms'],
  ['panels/stoppedJobs', 'contract i18n loading api ui'],
  ['panels/payments', 'contract configuration.ts i18n api ui tables'],
  ['panels/order', 'contract i18n api session'],
  ['panels/batches', 'contract i18n api/http api ui forms panels/order'],
  ['panels/loans', 'configuration.ts contract i18n api/http api ui session forms tables'],
  [
    'panels/story',
    'contract configuration.ts i18n loading api/http api ui session panels/payments panels/order',
  ],
  // Pages do not import each other. The exceptions name a file. A large page has rooms of its own.
  ['pages/landing', 'contract configuration.ts plans.ts i18n theme ui layout panels/paidBy'],
  [
    'pages/accounts/login',
    'contract configuration.ts storage.ts i18n loading api/http api session forms layout panels/factor',
  ],
  [
    'pages/accounts/register',
    `contract configuration.ts i18n loading api/http api forms layout
    pages/accounts/login/arrival.ts`,
  ],
  ['pages/accounts/forgot', 'contract configuration.ts i18n loading api/http api forms layout'],
  [
    'pages/accounts/reset',
    `contract configuration.ts i18n loading api/http api session forms layout
    panels/mailedLink pages/accounts/login/arrival.ts`,
  ],
  [
    'pages/lending/pool',
    'contract configuration.ts i18n loading api/http api ui ui/chart layout panels/paidBy',
  ],
  ['pages/reports/verify', 'contract configuration.ts i18n api layout'],
  [
    'pages/reports/statements',
    'contract i18n loading api/http api ui session layout panels/account',
  ],
  ['pages/reports/notices', 'contract i18n api session layout panels/account panels/notices'],
  ['pages/lending/stress', 'contract i18n api ui ui/chart session layout panels/staffPage'],
  ['pages/reports/today', 'contract i18n api ui session layout panels/staffPage panels/paidBy'],
  [
    'pages/accounts/confirm',
    'i18n api session layout panels/mailedLink pages/accounts/login/arrival.ts',
  ],
  ['pages/accounts/freeze', 'i18n api session layout panels/mailedLink'],
  ['pages/accounts/mailbox', 'configuration.ts i18n api ui session layout panels/staffPage'],
  ['pages/accounts/undelivered', 'i18n api/http api ui session tables layout panels/staffPage'],
  ['pages/lending/losses', 'i18n loading api ui session forms layout panels/staffPage'],
  [
    'pages/coins/reconciliation',
    'contract i18n loading api/http api ui session forms tables layout panels/staffPage',
  ],
  [
    'pages/chain/chains',
    `contract configuration.ts i18n loading api ui session forms tables layout panels/staffPage
    panels/payments panels/stoppedJobs`,
  ],
  [
    'pages/coins/batches',
    `contract configuration.ts i18n loading api/http api ui session forms tables layout
    panels/staffPage panels/batches panels/loans`,
  ],
  [
    'pages/lending/loans',
    `contract configuration.ts i18n loading api/http api ui session forms tables layout
    panels/staffPage panels/loans`,
  ],
  [
    'pages/accounts/security',
    `contract configuration.ts i18n loading api/http api ui session forms
    layout panels/account`,
  ],
  [
    'pages/records/audit',
    `contract i18n api ui session tables
    layout/shortcuts layout panels/staffPage panels/story`,
  ],
  [
    'pages/accounts/person',
    `contract configuration.ts i18n loading api/http api ui session forms tables
    panels/staffPage panels/story panels/loans pages/records/audit/cells.tsx`,
  ],
  ['pages/admin/tabs', 'contract i18n loading/missing.ts api/http api session tables'],
  [
    'pages/admin/decisions',
    `contract configuration.ts i18n api/http api ui session forms tables panels/payments
    panels/story`,
  ],
  ['pages/admin/queue', 'i18n loading api/http ui session tables layout/shortcuts'],
  [
    'pages/admin/requests',
    `contract i18n loading api/http api ui session forms tables panels/payments panels/story
    panels/order pages/admin/decisions pages/admin/queue`,
  ],
  [
    'pages/admin/proposals',
    `i18n loading api/http api ui session tables panels/loans pages/accounts/person/OpenProposals.tsx
    pages/admin/decisions pages/admin/queue`,
  ],
  [
    'pages/admin/wallets',
    'contract i18n loading api/http api ui session forms tables layout pages/admin/tabs',
  ],
  [
    'pages/money/plans',
    `contract i18n loading api ui session forms tables layout panels/staffPage
    pages/coins/reconciliation/AskDialog.tsx`,
  ],
  [
    'pages/chain/rates',
    `contract i18n loading api/http api ui session forms tables layout panels/staffPage
    pages/admin/wallets/Waiting.tsx`,
  ],
  [
    'pages/admin/loans',
    'i18n loading api/http api ui session tables layout layout/shortcuts panels/loans',
  ],
  [
    'pages/admin/sending',
    `contract configuration.ts i18n loading api/http api ui session forms tables panels/story
    panels/batches panels/order`,
  ],
  ['pages/admin/figures', 'contract i18n api/http api ui ui/chart pages/admin/tabs'],
  [
    'pages/admin/records',
    `contract configuration.ts i18n loading api/http api ui session forms tables layout panels/story
    panels/order pages/accounts/person/OpenProposals.tsx pages/admin/tabs pages/admin/decisions pages/admin/wallets
    pages/admin/sending pages/admin/loans pages/admin/figures`,
  ],
  [
    'pages/admin',
    `contract configuration.ts i18n loading api/http api ui session tables layout/shortcuts layout
    panels/account panels/pauses panels/stoppedJobs pages/admin/tabs pages/admin/queue pages/admin/requests
    pages/admin/proposals pages/admin/records`,
  ],
  [
    'pages/dashboard',
    `contract configuration.ts i18n loading api/http api ui ui/chart session forms tables
    layout/shortcuts layout panels/account panels/paidBy panels/pauses panels/payments
    panels/story pages/admin/AdminDashboard.tsx`,
  ],
  ['routes', 'session panels/map/Framed.tsx panels/story/Stories.tsx'],
  ['routes.ts', ''],
  ['entry.server.tsx', 'StillPage.ts'],
  ['Shell.tsx', 'theme loading api/http ui session panels/factor panels/idle'],
  ['root.tsx', 'contract +types StillPage.ts configuration.ts i18n theme layout'],
])
