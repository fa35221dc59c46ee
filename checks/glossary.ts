/** The words of the screens: one for each thing in each language (CONTRIBUTING.md, "Prose"). */

export type GlossaryEntry = {
  readonly language: 'en' | 'es'
  readonly word: string
  /** The words that it replaces. */
  readonly replaces: RegExp
  /** Sentences that keep another word, by catalogue and key, with the reason. */
  readonly except?: Readonly<Record<string, string>>
}

export const glossary: readonly GlossaryEntry[] = [
  { language: 'en', word: 'email', replaces: /\bmail(s|ed)?\b/i },
  { language: 'en', word: 'sign in, sign out', replaces: /\blog(ged|ging)? ?(in|out)\b/i },
  { language: 'en', word: 'instalment', replaces: /\b(equal|first|last) payments?\b/i },
  { language: 'en', word: 'decline', replaces: /\bturn(s|ed)? down\b/i },
  { language: 'en', word: 'in total', replaces: /\bin all\b(?! fields)/ },
  { language: 'en', word: 'ID', replaces: /\b(id|Id)s?\b/ },
  { language: 'en', word: 'read-only key', replaces: /\bkeys? for reading\b/i },
  { language: 'en', word: 'revoke a key', replaces: /\bend(s|ed)? (a|the|my) read-only key/i },
  { language: 'en', word: 'release funds', replaces: /\bfreed\b|\bfree (it|its|the money)\b/i },
  { language: 'en', word: 'member of staff', replaces: /\bmembers? of the staff\b/i },
  { language: 'en', word: 'staff', replaces: /\bpool's staff\b/i },
  { language: 'en', word: 'investor', replaces: /\bowners?\b/i },
  { language: 'en', word: 'is winding down', replaces: /\bpool (winds|does not wind)\b/i },
  { language: 'en', word: 'takes effect', replaces: /\bha(s|ve) effect\b/i },
  {
    language: 'en',
    word: 'minimum, maximum',
    replaces: /\b(least|most) (amount|runway|invested)\b|\bmost at once\b/i,
  },
  { language: 'en', word: 'not, in full', replaces: /n't\b|\b(you|we)'re\b/i },
  { language: 'en', word: '90%', replaces: /[\d}] %/ },
  { language: 'en', word: '…', replaces: /(?<!0x)\.\.\./ },
  { language: 'es', word: 'cartera', replaces: /\bmonederos?\b/i },
  { language: 'es', word: 'retirada', replaces: /\bretiros?\b/i },
  { language: 'es', word: 'personal', replaces: /\bequipo\b/i },
  { language: 'es', word: 'persona del personal', replaces: /\bmiembros? del personal\b/i },
  { language: 'es', word: 'ID', replaces: /\bidentificador(es)?\b|\b(id|Id)s?\b/ },
  {
    language: 'es',
    word: 'dirección de retirada',
    replaces: /\bdirecci(ón|ones) de (pago|cobro)\b/i,
  },
  { language: 'es', word: 'impago', replaces: /\bmora\b/i },
  {
    language: 'es',
    word: 'atraso',
    replaces: /\bretrasos?\b/i,
    except: { 'asOf asOf': 'figures are behind, and no loan is late' },
  },
  { language: 'es', word: 'pérdida abierta', replaces: /\bpérdidas? pendientes?\b/i },
  { language: 'es', word: 'pago', replaces: /\breembolsos?\b/i },
  { language: 'es', word: 'principal', replaces: /\bcapital e? ?y? ?(tu |su )?inter(és|eses)\b/i },
  { language: 'es', word: 'libro contable', replaces: /\blibro (mayor|de doble)\b/i },
  { language: 'es', word: 'tasa', replaces: /\btipos? (medios? )?(anual|al año|de interés)\b/i },
  { language: 'es', word: 'correo', replaces: /\be-?mails?\b/ },
  { language: 'es', word: '90 %', replaces: /[\d}]%/ },
  { language: 'es', word: '…', replaces: /(?<!0x)\.\.\./ },
]

/** Labels that the specification fixes, by catalogue and key. No rule of words holds for them. */
export const SPECIFIED: ReadonlySet<string> = new Set(
  [
    ['account', 'login.busy login.error register.submit register.busy register.error'],
    ['admin', 'title refresh stats.users stats.pendingTransactions stats.pendingInvestments'],
    ['admin', 'stats.wallets stats.balance approveDeposit approveWithdrawal rejectWithdrawal'],
    ['admin', 'wallets.management wallets.add addWallet.title addWallet.busy'],
    ['admin', 'reject.title reject.placeholder'],
    ['common', 'logout getStarted signIn sections.howItWorks defaultDestination'],
    ['common', 'idle.title idle.left idle.stay idle.logout'],
    ['dashboard', 'balance deposit withdraw invest transactions investments'],
    ['dashboard', 'investments.maturity investments.return'],
    ['dialogs', 'address processing'],
    ['landing', 'hero.title hero.start steps.invest.title steps.lend.title steps.repay.title'],
    ['landing', 'steps.earn.title'],
  ].flatMap(([catalogue, keys = '']) => keys.split(' ').map((key) => `${catalogue} ${key}`)),
)

/** Words with a capital inside a sentence in English: names, and labels that a sentence cites. */
export const NAMES =
  /^(Address|Bitcoin|English|German|Invest|Mailbox|Merkle|Performance|Portfolio|Safe|Security|To)$/
