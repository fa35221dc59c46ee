// The rows of the database. Written by `npm run schema:dump`, compared by a test. Never edit it.
import type { PauseName } from '@pool/contract/money/pauses'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Inserted by SQL functions, never from here. */
type InSql<T> = ColumnType<T, never, T>

export type Schema = {
  /** Breaks with which two people let withdrawals go on. */
  accepted_breaks: {
    proposal_id: string
    reconciliation_id: string
    network_name: string
    asset: string
    units: string
    at: Generated<Date>
  }
  /** The accounts of the double-entry ledger: three of each investor, nine of the pool. */
  accounts: {
    id: GeneratedAlways<bigint>
    /** An investor, or the nil UUID for the pool. */
    owner_id: string
    kind:
      | 'available'
      | 'held'
      | 'invested'
      | 'custody'
      | 'reserve'
      | 'committed'
      | 'claims'
      | 'outgoing'
      | 'loans'
      | 'deployed'
      | 'loss'
      | 'sending'
    /**
     * Cents, written only by the trigger movements_change_balances. Coins in custody are below
     * zero, and never fewer than none. NULL where it is the sum of its transfers, so that no
     * posting locks the row.
     */
    balance: bigint | null
    /** The moment when its owner closed the account (trigger users_close_accounts). NULL before. */
    closed_at: Date | null
  }
  /**
   * Watch-only keys from which deposit addresses are derived. There is no private key anywhere.
   */
  address_keys: {
    id: string
    network_name: string
    /** A descriptor or an extended public key, as server/chains/accountKeys.ts writes it. */
    key: string
    fingerprint: string | null
    /** The number of the address that is derived next. */
    next_index: Generated<number>
    added_by: string
    created_at: Generated<Date>
    /**
     * The start of the last transaction that derived. An older one would give wallets an earlier
     * age.
     */
    derived_at: Date | null
    ended_at: Date | null
  }
  /** Most cents that one person decides alone in 24 hours. One row. */
  approval_limits: {
    only_row: Generated<boolean>
    /** Limit for one investor, and for one approver. */
    per_person: bigint
    /** Limit for all investors and approvers together. */
    per_pool: bigint
  }
  /** Approvals of deposits and withdrawals that need two people. Final. */
  approvals: {
    transaction_id: InSql<string>
    approved_by: InSql<string>
    created_at: InSql<Date>
    /** The approved address. Empty for a deposit. */
    payee_address: InSql<string>
    /**
     * The cents that were approved: of a deposit, what was received. NULL is the amount asked for.
     */
    amount: InSql<bigint | null>
  }
  /**
   * Months whose movements were written to a file and dropped, oldest first and without a gap.
   */
  archived_months: {
    month: string
    /** The first id of the month. NULL is the beginning. */
    from_id: string | null
    /** The first id after the month. */
    until_id: string
    /** Number of movements in the file. */
    movements: bigint
    /** Digest of the file. */
    sha256: string
    /**
     * Digest of closing_balances after this month. Only that of the newest month is of today's
     * rows.
     */
    balances: string
    /** MAC of the row, by a key that the database never holds. */
    mac: string
    archived_at: Generated<Date>
  }
  /**
   * The audit trail: actor, moment, source and changes of each act, in its transaction. Final.
   */
  audit_entries: {
    id: GeneratedAlways<bigint>
    created_at: Generated<Date>
    /** NULL unless the actor is a signed-in user. */
    actor_id: string | null
    /** A username, 'system', or the operator. */
    actor: string
    action: string
    subject_type: string
    subject_id: string
    /** The user that the entry concerns, if any. */
    owner_id: string | null
    /** An IP address, 'operator' or 'job'. */
    source: string
    before: Record<string, unknown> | null
    after: Record<string, unknown> | null
    reason: string | null
    /** Makes the entry unique, so that a copy is refused. */
    nonce: string
    /** MAC by a key that the database never holds. */
    mac: string
  }
  /** Hash chain over the entries, in its own order, since ids do not commit in order. */
  audit_seals: {
    position: InSql<bigint>
    /**
     * Has no foreign key, whose check would need the right to change entries. `audit:check` looks.
     */
    entry_id: InSql<bigint>
    /** HMAC-SHA-256 of the previous hash and of the entry. */
    hash: InSql<Buffer>
    /** Id of the key. */
    key_id: InSql<string>
  }
  /**
   * Entries that wait for their seal. An entry in neither table was inserted past the product.
   */
  audit_unsealed: {
    entry_id: InSql<bigint>
  }
  /**
   * The balance of each assigned address as the chain had it at a final block. The next check
   * compares with it.
   */
  balance_checks: {
    network_name: string
    /** In lower case. */
    address: string
    asset: string
    units: string
    height: bigint
  }
  /** Unspent outputs that a batch spends. No other batch takes them meanwhile. */
  batch_inputs: {
    batch_id: string
    network_name: string
    /** The output as TRANSACTION:NUMBER. */
    input: string
    address: string
    units: string
    /** False once the batch was given up. */
    is_open: Generated<boolean>
  }
  /** What a batch pays, in the order of its file. */
  batch_payouts: {
    batch_id: string
    position: number
    /** NULL where it pays a loan or an address of our own. */
    withdrawal_id: string | null
    address: string
    units: string
    /** False once the batch was given up. */
    is_open: Generated<boolean>
    /**
     * The transaction on the chain that pays it, as the node tells it now. NULL while none does.
     */
    transaction_id: string | null
    output: number | null
    /** The reserved loan that it pays. */
    sending_id: string | null
  }
  /**
   * Payments that staff sign outside the product, in one file. WAITING for a second person, READY
   * to sign, SEEN on the chain, COMPLETED, or GIVEN_UP while nothing of it was on the chain.
   */
  batches: {
    id: string
    network_name: string
    asset: string
    decimals: number
    /** A PAYOUT of withdrawals, or a COLLECTION of coins from our own addresses. */
    kind: 'PAYOUT' | 'COLLECTION'
    format: 'PSBT' | 'SAFE' | 'CSV'
    state: 'WAITING' | 'READY' | 'SEEN' | 'COMPLETED' | 'GIVEN_UP'
    /** The Safe or the plain key that pays. NULL where the inputs say it. */
    payer: string | null
    /** That of the Safe, so that the file cannot be executed twice. */
    nonce: bigint | null
    /** The rate of the asset: dollars for one coin. */
    dollars: string
    rate_source: string | null
    rate_at: Date
    /** Bitcoin: satoshis for a virtual byte. */
    fee_rate: string | null
    fee_units: string | null
    change_units: string | null
    change_address: string | null
    file: string
    /** SHA-256 of the file, in hex. */
    digest: string
    made_by: string
    made_at: Generated<Date>
    approved_by: string | null
    approved_at: Date | null
    completed_at: Date | null
    given_up_by: string | null
    given_up_at: Date | null
    reason: string | null
    /** EIP-712 hash of the transaction of the Safe, with 0x. */
    safe_hash: string | null
    /** EVM networks: the gas of the transactions of the file, by a trial of the node. */
    gas: bigint | null
    /**
     * EVM networks: wei for a unit of gas when the batch was made. The signer sets what is paid.
     */
    gas_price: string | null
    /** The network's fee in cents, rounded up. NULL where its coin had no rate. */
    fee_cents: bigint | null
  }
  /** Blocks that two super admins agreed to leave out. Their coins are found by balances. */
  block_skips: {
    id: string
    network_name: string
    from_height: bigint
    to_height: bigint
    agreed_at: Generated<Date>
    /** The moment at which the follower left them out. */
    skipped_at: Date | null
    /**
     * The moment at which the first of them could be read after all, or another branch took their
     * place.
     */
    ended_at: Date | null
  }
  /**
   * Each grade of a borrower, the newest with the highest number. A trigger of borrowers writes
   * them.
   */
  borrower_grades: {
    borrower_id: string
    number: number
    grade: 'A' | 'B' | 'C' | 'D' | 'E'
    reason: string
    graded_by: string
    graded_at: Date
  }
  /** People and companies that the pool lends to. */
  borrowers: {
    id: string
    name: string
    country: string
    kind: 'person' | 'company'
    /** The relation to the pool. Anything but none is a related party. */
    relation: 'none' | 'staff' | 'operator' | 'investor'
    /** Their own account. Its owner never decides about their loans. */
    user_id: string | null
    /** The grade of risk, A the best. */
    grade: 'A' | 'B' | 'C' | 'D' | 'E'
    grade_reason: string
    recorded_by: string
    created_at: Generated<Date>
    /** The moment of the newest grade. NULL for that of the record. */
    graded_at: Date | null
    /** Gave the newest grade. NULL for the person who made the record. */
    graded_by: string | null
  }
  /**
   * What the operator took out of the reserve of a pool that winds down, each by a proposal of
   * two super admins.
   */
  capital_withdrawals: {
    id: string
    /** Cents that left the reserve. */
    amount: bigint
    network_name: string
    /** The own address from which the operator takes the coins. */
    address: string
    created_at: Generated<Date>
  }
  /** The newest blocks that were read, without a gap. The highest of a network is its cursor. */
  chain_blocks: {
    network_name: string
    height: bigint
    hash: string
  }
  /** The state of each network as the operator's node tells it. No row before the first look. */
  chains: {
    network_name: string
    state: string
    /** Why the state is not FINE. Never has a URL or a password. */
    words: Generated<string>
    since: Generated<Date>
    checked_at: Generated<Date>
    height: bigint | null
    head_hash: string | null
    /** The moment at which the newest block was first seen. */
    height_since: Date | null
    final_height: bigint | null
    final_since: Date | null
    /** The moment from which payments are read. Staff confirm earlier ones by hand. */
    followed_since: Date | null
    /**
     * The settings that the node confirmed once (server/nodes/settings.ts). A start asks about
     * others.
     */
    confirmed: string | null
    /** The last whole comparison of balances with payments. NULL before the first. */
    balances_at: Date | null
    /** The highest block that was ever read. A node below it is behind. */
    read_height: bigint | null
    /**
     * The block that the last look could not read, at which the follower stands. NULL if there is
     * none.
     */
    unread_height: bigint | null
  }
  /** Debts of investors for credited deposits whose coins the chain took back. */
  claims: {
    deposit_id: string
    user_id: string
    /** Cents that the deposit had credited. */
    amount: bigint
    /** Cents that are neither collected nor written off. */
    open: bigint
    /** The payment that is gone. */
    payment_id: string
    /** In words, what the product saw. */
    basis: string
    created_at: Generated<Date>
  }
  /**
   * The sum of all archived transfers by account, in cents. The newest archived month signs it.
   */
  closing_balances: {
    account_id: bigint
    amount: bigint
  }
  /**
   * Transactions on chains whose facts changed, so that their coin movements are looked at again.
   */
  coin_facts_due: {
    id: GeneratedAlways<bigint>
    network_name: string
    transaction_id: string
  }
  /**
   * The double entry of each coin in units. Five accounts are addresses of ours, the others stand
   * for the outside.
   */
  coin_movements: {
    id: string
    network_name: string
    transaction_id: string | null
    asset: string
    decimals: number
    kind:
      | 'RECEIVED'
      | 'SENT'
      | 'SWEPT'
      | 'FEE'
      | 'GAS'
      | 'CONVERTED'
      | 'UNSEEN'
      | 'UNEXPLAINED'
      | 'SETTLED'
      | 'OPENING'
    from_account: string
    to_account: string
    units: string
    cause: 'PAYMENT' | 'SPENDING' | 'SETTLEMENT' | 'UNSEEN' | 'OPENING'
    /** The payment, spending, unseen arrival, or the proposal of an opening balance. */
    cause_id: string
    /** Counts the movements of a cause, those taken back among them. */
    position: number
    /** The movement of which this is the opposite, since its cause is gone or changed. */
    takes_back: string | null
    /** Dollars as of the moment of its cause. NULL where no rate counted then. */
    cents: bigint | null
    /** The block of its cause. 0 for an opening balance. */
    height: bigint
    at: Generated<Date>
  }
  /**
   * Capital of the operator that came into the reserve, each by a proposal of two super admins.
   */
  contributions: {
    id: InSql<string>
    /** Cents. */
    amount: InSql<bigint>
    note: InSql<string>
    contributed_by: InSql<string>
    created_at: InSql<Date>
    /**
     * SEEN by a node, TYPED by two people on a network that no node follows, or PLAY coins of a
     * sandbox.
     */
    source: InSql<'SEEN' | 'TYPED' | 'PLAY'>
    network_name: InSql<string | null>
    asset: InSql<string | null>
    /** Coins in the smallest part of the asset. */
    units: InSql<string | null>
    decimals: InSql<number | null>
    /** The transaction that brought the coins. */
    evidence: InSql<string | null>
    /** The payment to an own address, as a node showed it. */
    payment_id: InSql<string | null>
  }
  /** Pauses that ended, each with both ends. A trigger writes them. */
  ended_pauses: {
    id: Generated<string>
    name: string
    began_at: Date
    ended_at: Date
  }
  /** Second factors of users, each proven once before it was added. */
  factors: {
    id: string
    user_id: string
    kind: 'TOTP' | 'PASSKEY'
    name: string
    /**
     * The key from which the secret of an authenticator app is derived. The secret is stored
     * nowhere.
     */
    key_id: string | null
    /** The 30 seconds of the last code, counted from 1970. Earlier codes are refused. */
    last_step: bigint | null
    credential_id: Buffer | null
    public_key: Buffer | null
    /** Uses of a passkey, as its device counts them. Zero for devices that do not count. */
    counter: bigint | null
    transports: string[] | null
    created_at: Generated<Date>
    last_used_at: Date | null
  }
  /**
   * The network's fee of one payment, as its node told last. It counts for an hour
   * (docs/decisions/088).
   */
  fee_estimates: {
    network_name: string
    cents: bigint
    at: Generated<Date>
  }
  /** A moment that the primary passed. Its copy on a replica tells how far that one is behind. */
  heartbeats: {
    only_row: Generated<boolean>
    at: Date
  }
  /** Outcomes of money calls, so that a repeat with the same key gets the same response. */
  idempotency_keys: {
    actor_id: string
    key: string
    /** Digest of the request. The same key with another request is refused. */
    request_hash: string
    outcome: unknown
    created_at: Generated<Date>
  }
  investments: {
    id: InSql<string>
    user_id: InSql<string>
    principal: InSql<bigint>
    rate_basis_points: InSql<number>
    interest: InSql<bigint>
    duration_days: InSql<number>
    status: InSql<'ACTIVE' | 'COMPLETED'>
    matures_at: InSql<Date>
    created_at: InSql<Date>
    updated_at: InSql<Date>
    borne: InSql<bigint>
    returned: InSql<bigint>
  }
  /**
   * The last success of each job that repeats, on any node. Readiness, states and alerts come
   * from it (server/jobs/successes.ts).
   */
  job_successes: {
    name: string
    since: Generated<Date>
    succeeded_at: Date | null
  }
  /**
   * Devices that users signed in from. Forgotten after 90 days, except the latest of each user.
   */
  known_devices: {
    user_id: string
    /** SHA-256 of browser, system and range of IP addresses. */
    digest: Buffer
    /** The language of its last sign-in, for mails. */
    language: 'en' | 'es'
    last_seen_at: Generated<Date>
  }
  /** Hourly recomputations of the ledger, from all nodes. */
  ledger_checks: {
    id: GeneratedAlways<bigint>
    checked_at: Generated<Date>
    /** Number of recomputed accounts. */
    accounts: number
    /** Number of transfers read. */
    transfers: bigint
    /** The first fault. NULL when there is none. */
    finding: string | null
  }
  /**
   * Cents owed to each investor with money on a day. A day is deleted after 30 days; no row is
   * changed.
   */
  liability_leaves: {
    day: Date
    /**
     * In files of version 1 the place of the leaf, from the left. In later ones a number that leads
     * to the places of the parts.
     */
    place: number
    /** No foreign key: users are never deleted, and a million are written at once. */
    user_id: string
    available: bigint
    held: bigint
    /** Approved withdrawals that are on the way. */
    outgoing: bigint
    invested: bigint
    /** Committed interest of active investments. */
    interest: bigint
  }
  /**
   * The signed file of what the pool owes, for each day. None is changed, deleted or made again.
   */
  liability_trees: {
    /** In UTC. */
    day: Date
    /** The JSON that everybody gets, with the root and the total (docs/liabilities.md). */
    file: string
    /** SHA-256 of the file, in hex. */
    digest: string
    /** The nodes above each 512 leaves, from the left: 32 bytes of hash and 8 of sum each. */
    blocks: Buffer
    /** Id of the key that the salts and the padding of the day are derived from. */
    salted_by: string
    key_id: string
    /** Ed25519 of name and digest, 64 bytes in base64url. */
    signature: string
  }
  /** Mailed links that work once (server/links). Their rows go a day after their end. */
  links: {
    /** Of an invite, the id of its proposal. */
    id: string
    /**
     * CONFIRM an email or CHANGE it, RESET the password, FREEZE the account, or open that of an
     * INVITE. GIVE_BACK freezes, too, and keeps its address from other accounts.
     */
    kind: 'CONFIRM' | 'CHANGE' | 'RESET' | 'FREEZE' | 'GIVE_BACK' | 'INVITE'
    user_id: string | null
    /** The mailbox that it was mailed to. */
    address: string
    /** SHA-256 of the token. The token is stored nowhere: the sender derives it from the id. */
    token_digest: Buffer
    created_at: Generated<Date>
    expires_at: Date
    /** Its use, or the act that ended it without one. */
    ended_at: Date | null
  }
  /** Collateral of loans. A wrong one is withdrawn, and stays. */
  loan_collateral: {
    id: string
    loan_id: string
    description: string
    /** Cents that it was worth on the day of valued_on. */
    value: bigint
    valued_on: Date
    recorded_by: string
    created_at: Generated<Date>
    withdrawn_for: string | null
    withdrawn_by: string | null
    withdrawn_at: Date | null
  }
  /** Reserved loans whose coins a deep block has. The job of loans begins each. None changes. */
  loan_confirmations: {
    sending_id: string
    transaction_id: string
    /** NULL for the own coin of an EVM network. */
    output: number | null
    /** The facts of the chain, in words. */
    basis: string
    /** The time of the block. NULL where the network tells none. */
    mined_at: Date | null
    /** MAC of the row, by a key that the database never holds: a node was asked. */
    mac: string
    created_at: Generated<Date>
  }
  /** Defaults, by days past due or by a proposal of two people, whose id it has. They stay. */
  loan_defaults: {
    id: string
    loan_id: string
    /**
     * The day that made it so: the 91st past due, however late it was counted, or that of the
     * second person.
     */
    defaulted_on: Date
    reason: 'daysPastDue' | 'unlikelyToPay'
    days_past_due: number
    principal: bigint
    /** Cents that were owed by that day and not paid. With the principal they are the exposure. */
    interest: bigint
    created_at: Generated<Date>
    /**
     * The first line due after that day. NULL where all were due. It owes interest up to that day
     * alone.
     */
    stopped_number: number | null
    /** Cents of that interest, the paid ones too. Later lines owe none. */
    stopped_interest: bigint | null
  }
  /** Loans paid out, each by a proposal of two people. */
  loan_disbursements: {
    id: string
    loan_id: string
    principal: bigint
    disbursed_on: Date
    network_name: string
    /** The transaction that paid it out. */
    evidence: string
    created_at: Generated<Date>
    /** The part of the principal that left the reserve. */
    capital: bigint
    /**
     * The output that paid it, as payments.output counts. NULL where it was by hand, or by the own
     * coin of an EVM network.
     */
    output: number | null
    /** True where a batch paid what was reserved in loan_sendings. */
    sent: Generated<boolean>
  }
  /**
   * Documents of a borrower or a loan, by digest and link. A wrong one is withdrawn, and stays.
   */
  loan_documents: {
    id: string
    borrower_id: string | null
    loan_id: string | null
    title: string
    /** The digest of the file. The file itself is elsewhere. */
    sha256: string
    link: string
    recorded_by: string
    created_at: Generated<Date>
    withdrawn_for: string | null
    withdrawn_by: string | null
    withdrawn_at: Date | null
  }
  /**
   * The schedules of each loan from its disbursement, and what is paid. New lines go on counting.
   */
  loan_instalments: {
    loan_id: string
    number: number
    due_on: Date
    principal: bigint
    interest: bigint
    principal_paid: Generated<bigint>
    interest_paid: Generated<bigint>
    /**
     * True for a line that a restructuring ended. What is unpaid of it is owed by the new lines.
     */
    replaced: Generated<boolean>
  }
  /** Moves of loans between buckets of days past due. A loan without one is current. */
  loan_moves: {
    loan_id: string
    number: number
    bucket: 'current' | 'late1' | 'late31' | 'late61' | 'late91'
    /** The day by due dates and value dates. created_at tells when the product knew. */
    moved_on: Date
    days_past_due: number
    outstanding: bigint
    created_at: Generated<Date>
  }
  /** The part of each repayment that paid an instalment. */
  loan_repayment_parts: {
    repayment_id: string
    number: number
    principal: bigint
    interest: bigint
  }
  /** Repayments of borrowers, split by the oldest instalment. */
  loan_repayments: {
    id: string
    loan_id: string
    principal: bigint
    interest: bigint
    /** The day on which it arrived. */
    value_on: Date
    reference: string
    recorded_by: string
    /** True once a row of loan_reversals took it back. */
    reversed: Generated<boolean>
    created_at: Generated<Date>
    /** Cents that came after the loan was written off. */
    recovered: Generated<bigint>
    /** The part of the principal that went back into the reserve. */
    capital: bigint
    /**
     * The part of what was recovered that went to the reserve. The rest went to those who had borne
     * the loss.
     */
    kept: bigint
    /**
     * The proposal of two people that it rests on. NULL where one person recorded it, and of
     * recoveries.
     */
    agreed_id: string | null
  }
  /** New terms of loans, each by a proposal of two people. */
  loan_restructurings: {
    id: string
    loan_id: string
    starts_on: Date
    /**
     * Day of the month that the first day stands for, as a due day before. NULL where it stands for
     * itself.
     */
    starts_as: number | null
    /** Its lines count from here. */
    first_number: number
    principal: bigint
    /** Cents of interest up to that day that were not paid. Its first line owes them. */
    interest: bigint
    distressed: boolean
    rate_basis_points: number
    schedule: 'annuity' | 'equalPrincipal' | 'interestOnly'
    period: 'weekly' | 'halfMonthly' | 'monthly' | 'quarterly'
    day_count: 'act365' | '30e360'
    instalments: number
    due_day: number
    first_due_on: Date
    created_at: Generated<Date>
  }
  /** Repayments taken back, each once. */
  loan_reversals: {
    id: string
    repayment_id: string
    principal: bigint
    interest: bigint
    reason: string
    reversed_by: string
    created_at: Generated<Date>
    recovered: Generated<bigint>
    /**
     * The part of the principal that left the reserve again. Repayments in between may make it a
     * cent more or less than the repayment had.
     */
    capital: bigint
    /** The proposal of two people that it rests on. NULL where one person reversed it. */
    agreed_id: string | null
  }
  /**
   * Loans that are reserved for a batch, each by a proposal of two people. OPEN, PAID once the
   * chain shows the coins, or RELEASED to the reserve.
   */
  loan_sendings: {
    id: string
    proposal_id: string
    loan_id: string
    principal: bigint
    /** The part of the principal that left the reserve. */
    capital: bigint
    network_name: string
    /** The address of the borrower that both people saw. */
    address: string
    status: Generated<'OPEN' | 'PAID' | 'RELEASED'>
    release_id: string | null
    created_at: Generated<Date>
  }
  /** News of loans, as staff wrote them. None changes. */
  loan_updates: {
    id: string
    loan_id: string
    text: string
    written_by: string
    created_at: Generated<Date>
  }
  /** Loans that two super admins gave up. */
  loan_write_offs: {
    id: string
    loan_id: string
    principal: bigint
    created_at: Generated<Date>
    /** The part that the operator had lent. */
    capital: bigint
    /** The part of investors' principal that the free reserve bore. */
    covered: Generated<bigint>
    /** The rest of investors' principal: a loss that is open until loss_covers bear it. */
    lost: Generated<bigint>
  }
  /**
   * Loans and their terms. APPLIED, APPROVED by two, ACTIVE from the disbursement, REPAID; or
   * DEFAULTED, then REPAID or WRITTEN_OFF. An application that was closed is WITHDRAWN or
   * DECLINED.
   */
  loans: {
    id: string
    borrower_id: string
    purpose: string
    principal: bigint
    /** The yearly rate. */
    rate_basis_points: number
    schedule: 'annuity' | 'equalPrincipal' | 'interestOnly'
    period: 'weekly' | 'halfMonthly' | 'monthly' | 'quarterly'
    day_count: 'act365' | '30e360'
    instalments: number
    /** Day of the month of instalments. Short months have their last. */
    due_day: number
    /** The planned day. loan_disbursements has the real one. */
    disburse_on: Date
    first_due_on: Date
    status: Generated<
      | 'APPLIED'
      | 'APPROVED'
      | 'SENDING'
      | 'ACTIVE'
      | 'DEFAULTED'
      | 'WRITTEN_OFF'
      | 'REPAID'
      | 'WITHDRAWN'
      | 'DECLINED'
    >
    /** Cents of the principal that are disbursed, not repaid and not written off. */
    outstanding: Generated<bigint>
    recorded_by: string
    created_at: Generated<Date>
    /** Cents of the principal that two super admins gave up. */
    written_off: Generated<bigint>
    /** Cents that came back of what was written off. */
    recovered: Generated<bigint>
    /** The loan of the same borrower that this one replaces. */
    refinances_id: string | null
    /** Why the application was withdrawn or declined. */
    closed_for: string | null
    closed_by: string | null
    closed_at: Date | null
    /**
     * Cents of the principal that are lent out of what investors put in. The rest is the capital of
     * the operator.
     */
    from_investors: Generated<bigint>
    /** The day on which the pool took over a loan that ran already. NULL for its own loans. */
    taken_over_on: Date | null
  }
  /**
   * Failed sign-ins of all nodes by user, by IP and by both. Registrations by range of IPs,
   * forgotten passwords by email and by range of IPs, links for emails by user, by email and by
   * range of IPs, and guessed codes by user.
   */
  login_throttles: {
    /** Digest of the counted user, IP or range. */
    key: Buffer
    /** Number of failures, or of all registrations or forgotten passwords in an hour. */
    failures: number
    /** The last attempt, or the first registration of the hour. */
    last_at: Date
    /** The last sign-in of this user from this IP. NULL in other rows. */
    succeeded_at: Date | null
  }
  /**
   * Open losses that all investments are to share, each by a proposal of two super admins. The
   * operator's capital can bear such a loss instead until it counts.
   */
  loss_announcements: {
    id: string
    /** A write-off of the open loss. With the amount it names the loss. */
    loss_id: string
    amount: bigint
    /** The moment from which it is booked. */
    counts_at: Date
    /** The moment at which all mails of it were queued. */
    mailed_at: Date | null
    created_at: Generated<Date>
  }
  /** Open losses that the operator bore, each by a proposal of two super admins. */
  loss_covers: {
    id: string
    amount: bigint
    created_at: Generated<Date>
  }
  /**
   * Open losses that all investments shared. The trigger loss_sharings_are_shared writes the
   * parts.
   */
  loss_sharings: {
    id: string
    amount: bigint
    /** The principal of all active investments, which bore the same share. */
    invested: bigint
    created_at: Generated<Date>
  }
  /** The cover or the sharing that ended the loss of each write-off. A trigger writes it. */
  losses_borne: {
    write_off_id: string
    cover_id: string | null
    sharing_id: string | null
  }
  /** The delivery log: every attempt to send a mail. */
  mail_deliveries: {
    id: GeneratedAlways<bigint>
    mail_id: string
    attempted_at: Generated<Date>
    outcome: 'accepted' | 'deferred' | 'refused'
    /** The words of the mail server, or the fault. */
    answer: string
  }
  /** The outbox. A mail is written in the transaction of its cause, and sent by a job. */
  mails: {
    id: string
    /** NULL for invites, whose reader has no account yet. */
    user_id: string | null
    template: string
    /** Values for the template, without secrets: a link is derived when the mail is sent. */
    parameters: unknown
    language: 'en' | 'es'
    recipient: string
    /** WAITING to be sent; SENT; KEPT by a sandbox without SMTP; DEAD: refused, or given up. */
    status: 'WAITING' | 'SENT' | 'KEPT' | 'DEAD'
    /** Also names the lease of a sender: a later attempt ends it. */
    attempts: Generated<number>
    /** The next attempt, or the end of the lease of a sender. */
    next_attempt_at: Generated<Date>
    /** The end of the link in it. A later mail would be of no use. */
    expires_at: Date | null
    created_at: Generated<Date>
    /** The notice that it tells of, once at most. NULL for other mails. */
    cause: string | null
  }
  migrations: {
    number: number
    name: string
    digest: string
    applied_at: Generated<Date>
  }
  /**
   * Money moved between accounts, in one transfer or two. A transfer takes from one account what
   * it gives to another, so the ledger sums to zero. Rows never change. Read them as transfers.
   */
  movements: {
    /** The transaction, investment or contribution that caused it. */
    reference_id: InSql<string>
    /** One of ledger/movements.ts. */
    name: InSql<string>
    /**
     * No account has a foreign key (docs/decisions/023). Accounts are never deleted, and the ledger
     * check finds transfers of others.
     */
    from_account_id: InSql<bigint>
    to_account_id: InSql<bigint>
    /** Cents. */
    amount: InSql<bigint>
    interest_from_account_id: InSql<bigint | null>
    interest_to_account_id: InSql<bigint | null>
    /** Cents of the second transfer, if there is one. */
    interest: InSql<bigint | null>
    created_at: InSql<Date>
  }
  /** Fees and gas in dollars, as the ledger counts them. */
  network_fees: {
    id: string
    /** The coins that the network took. */
    movement_id: string
    /** Cents, rounded up. */
    amount: bigint
    /** RETURNED once the chain took the spending back. */
    status: Generated<'PAID' | 'RETURNED'>
    created_at: Generated<Date>
    returned_at: Date | null
  }
  /** Notes of staff about users. They are only added. */
  notes: {
    id: string
    /** The user that the note is about. */
    user_id: string
    author_id: string
    text: string
    created_at: Generated<Date>
  }
  /**
   * The moment up to which notices were turned into mails. One row, which one job at a time
   * locks.
   */
  notice_mailing: {
    only_row: Generated<boolean>
    until: Date
  }
  /**
   * Which notices users have read, and which they get by mail. Users without a row chose nothing.
   */
  notice_settings: {
    user_id: string
    /** Notices of this millisecond and earlier are read. Never goes back. */
    read_until: Generated<Date>
    /** The chosen kinds of contract/notices.ts. NULL for the default ones. */
    mailed: string[] | null
    /** True for staff who get the day since yesterday began by mail each morning. */
    morning: Generated<boolean>
  }
  /** Addresses of the pool that no investor pays to. Those of investors are wallets. */
  own_addresses: {
    id: string
    network_name: string
    address: string
    /**
     * CHANGE of our own transactions, COLD storage, a SAFE contract, or a PAYER: a plain key that
     * pays and buys gas.
     */
    class: 'CHANGE' | 'COLD' | 'SAFE' | 'PAYER'
    key_id: string | null
    derivation_index: number | null
    proposal_id: string | null
    created_at: Generated<Date>
  }
  /** Pauses of deposits, withdrawals and investing. Earlier requests and maturities go on. */
  pauses: {
    name: PauseName
    /** The movement that a pause refuses. */
    movement: string
    /** NULL without a pause, like its actor and its reason. */
    paused_at: Date | null
    paused_by: string | null
    reason: string | null
    /** The comparison whose break made the pause. Two people end such a pause. */
    reconciliation_id: string | null
    /** True while an open loss holds it. Nothing else ends it then. */
    by_loss: Generated<boolean>
    /** True while the pool winds down. Nothing else ends it then. */
    by_wind_down: Generated<boolean>
  }
  /** Coins that paid an address of ours, as the node tells it. Nothing is credited by a row. */
  payments: {
    id: string
    network_name: string
    transaction_id: string
    /**
     * The output of Bitcoin, the ordinal of the log in its receipt on EVM networks, -1 for their
     * own coin, and from -2 down for their coin sent by a contract.
     */
    output: number
    address: string
    asset: string
    /** In the smallest part of the asset. */
    units: string
    decimals: number
    state: 'SEEN' | 'CONFIRMED' | 'REPLACED' | 'DROPPED' | 'REVERSED'
    height: bigint | null
    block_hash: string | null
    /** The outputs that the transaction spends, or on EVM networks its sender and nonce. */
    inputs: Generated<string[]>
    is_coinbase: Generated<boolean>
    /** When it was first seen, or the time of its block if earlier. */
    seen_at: Generated<Date>
    changed_at: Generated<Date>
    confirmed_at: Date | null
    /** The rate at seen_at: dollars for one coin. NULL where none counted then. */
    dollars: string | null
    /** NULL for one dollar, where the coin had no rate. */
    rate_source: string | null
    /** The moment of the rate. */
    rate_at: Date | null
    /** The decided deposit that rests on it. NULL while none does, so that it is read again. */
    deposit_id: string | null
    /** Asset, units and address when deposit_id was noted. A reorganisation can change them. */
    settled_as: string | null
  }
  /** Every payout address that an investor saved. Rows stay, and the newest usable one counts. */
  payout_addresses: {
    id: string
    user_id: string
    address: string
    network_name: string
    created_at: Generated<Date>
    /** After created_at for a replacement, so that its owner can stop a thief. */
    usable_from: Date
    /** The owner's own name for it. */
    label: string | null
  }
  /**
   * Payouts that went another way than their batch says, and spendings that no batch explains.
   */
  payout_alarms: {
    id: string
    network_name: string
    kind:
      | 'SHORT'
      | 'MORE'
      | 'TWICE'
      | 'OTHER'
      | 'LATE'
      | 'UNAPPROVED'
      | 'GIVEN_BACK'
      | 'REORGANISED'
      | 'UNEXPLAINED'
    batch_id: string | null
    /** The payout of the batch. NULL for the whole batch. */
    position: number | null
    spending_id: string | null
    found_at: Generated<Date>
    /** When the chain and the batches no longer showed it. NULL while they do. */
    ended_at: Date | null
    settled_at: Date | null
    settled_by: string | null
    /** The words of the member of staff who settled it. */
    reason: string | null
  }
  /** Versions of plans. The newest that has started counts. None is changed or deleted. */
  plans: {
    /** The proposal of two people that made it. Those of the first version have fixed ids. */
    id: string
    duration_days: number
    /** Interest over the whole term. */
    rate_basis_points: number
    /** The least principal in cents. */
    least: bigint
    /** The most principal in cents. NULL without a bound. */
    most: bigint | null
    /** The most cents of principal at work in the plan at once. NULL without a bound. */
    capacity: bigint | null
    /** Closes it while the free reserve would last fewer days. NULL without a bound. */
    least_runway: number | null
    is_open: boolean
    /** The moment from which it counts. -infinity of the first version. */
    starts_at: Date
  }
  /** The newest figures that everybody reads, in one row. */
  pool_figures: {
    single: Generated<boolean>
    /** The moment of the snapshot that they were counted in. */
    at: Date
    /** The count rests for twenty times as long. */
    took_ms: number
    /** It changes with what is counted, so that a count without news is left out. */
    mark: string
    /** The form of the figures. A release that reads another one counts again. */
    form: number
    figures: unknown
    /** Signature of moment, form and figures by a key of the product. */
    mac: string
  }
  /** The mode of the pool, set at its first start and kept for good. One row. */
  pool_mode: {
    only_row: Generated<boolean>
    mode: 'sandbox' | 'live'
    set_at: Date
    /** Signs mode and moment by the key file (server/mode). */
    mac: string
  }
  /** The file of all loans of each day. None is changed or deleted. */
  pool_tapes: {
    /** In UTC. */
    day: Date
    loans: number
    size: bigint
    /** SHA-256 of the file, in hex. */
    digest: string
    /** The CSV, by gzip. */
    file: Buffer
    at: Generated<Date>
    key_id: string | null
    /** Ed25519 of name and digest, 64 bytes in base64url. NULL before files were signed. */
    signature: string | null
  }
  /** The last reading of the price URLs of each coin. */
  price_readings: {
    coin: string
    at: Date
    problem: 'few' | 'apart' | null
    prices: unknown
    /** The last reading that gave a rate. Before any, the first reading. */
    whole_at: Date
  }
  /** What a super admin asked for, and a second one decides about (server/proposals). */
  proposals: {
    id: string
    kind: string
    /** What it is about. At most one of a kind stands for it. */
    subject: string
    /** The user concerned, if any. */
    user_id: string | null
    payload: unknown
    /** That of the super admin who asked, for mails. */
    language: 'en' | 'es'
    reason: string
    asked_by: string
    asked_at: Generated<Date>
    /**
     * RESTING: approved, without effect before rests_until. STOPPED: ended before its effect,
     * though nobody rejected it. EXPIRED: void, and a later one took its place.
     */
    status: Generated<
      'OPEN' | 'RESTING' | 'DONE' | 'REJECTED' | 'WITHDRAWN' | 'STOPPED' | 'EXPIRED'
    >
    /** True if the only super admin asked, so nobody else decided. */
    alone: Generated<boolean>
    decided_by: string | null
    decided_at: Date | null
    rests_until: Date | null
    /** The moment of its effect, or of its end without one. */
    ended_at: Date | null
    /** True if any member of staff may ask and decide. Otherwise super admins do. */
    by_staff: Generated<boolean>
  }
  /** The coins that an investor was told to send for a deposit, and the rate of that moment. */
  quotes: {
    deposit_id: string
    coin: string
    /** Smallest units of the coin on the chain of the deposit's wallet. */
    units: string
    /** The rate: dollars for one coin. */
    dollars: string
    /** NULL for one dollar, where the coin had no rate. */
    source: 'SET' | 'MEDIAN' | null
    /** The moment of the rate. */
    at: Date
    ends_at: Date
    created_at: Generated<Date>
  }
  /** The dollars that one coin counts as. The newest row of a coin is in force. */
  rates: {
    id: string
    coin: string
    dollars: string
    source: 'SET' | 'MEDIAN'
    /** The moment of the price. That of the request, where people set it. */
    at: Date
    /** The person who asked for it. */
    set_by: string | null
    /** The price of each source, by host. */
    prices: unknown
    created_at: Generated<Date>
  }
  /** Living keys for reading. An ended one is deleted. */
  reading_keys: {
    id: string
    user_id: string
    name: string
    /** SHA-256 of the key, which is stored nowhere. */
    token_hash: Buffer
    made_at: Generated<Date>
    ends_at: Date
    last_used_at: Date | null
    /**
     * By the key file, over hash, user and both moments: SQL alone makes no key and prolongs none.
     */
    mac: string
  }
  /** A coin of a network: its break in units. */
  reconciled_coins: {
    reconciliation_id: string
    network_name: string
    asset: string
    decimals: number
    /** Units that left by transactions that nothing explains. */
    unexplained: string
    /** Units of capital in the books that no payment covers. */
    uncovered: string
    /**
     * The break: what the chain has, without what the books and named differences say. Below zero
     * coins are missing.
     */
    difference: string
    /** The part of it that two people accepted, for as long as it stays. */
    accepted: string
    /** The newest rate of any age: dollars for one coin. */
    dollars: string | null
  }
  /** Units of a coin on addresses of one class. */
  reconciled_lines: {
    reconciliation_id: string
    network_name: string
    asset: string
    account: string
    chain: string
    booked: string
    /** By transactions in a block that are not confirmed yet. */
    pending: string
    /** Coins of a class that was never whole and has no opening balance on record. */
    unopened: string
  }
  /** The block at which a network was compared. */
  reconciled_networks: {
    reconciliation_id: string
    network_name: string
    height: bigint | null
    block_hash: string | null
    addresses: number | null
    /** A code of the reason, if it was not compared. */
    problem: string | null
  }
  /** Comparisons of our coins on the chains with the coin movements. */
  reconciliations: {
    id: string
    at: Generated<Date>
    /**
     * Dollars of all breaks beyond those that two people accepted, shortages and surpluses added
     * up.
     */
    break_cents: bigint
    /** True if a break is of a coin that never had a rate. */
    is_unpriced: boolean
    /** True without any break. */
    is_whole: boolean
    limit_cents: bigint
    /** True if it paused withdrawals. */
    is_pausing: boolean
    /** Dollars that the ledger counts in custody. */
    custody_cents: bigint
    /** The part of them that people typed and no node showed. */
    typed_cents: bigint
    /** Coins on the chain at the rates of that moment. */
    coins_cents: bigint
  }
  /** Codes in place of a lost factor. Each works once. */
  recovery_codes: {
    /** SHA-256 of the user's id and the code, which has 120 random bits and is not stored. */
    digest: Buffer
    user_id: string
    /** The moment of its making. A freeze is lifted by codes from before it alone. */
    created_at: Generated<Date>
    used_at: Date | null
  }
  /**
   * One row in a database in which a wind-down is rehearsed. A restored copy of a live pool has
   * it before, and is never served.
   */
  rehearsals: {
    is_one: Generated<boolean>
    /** So many percent of the outstanding principal are asked to default at its begin. */
    default_percent: number | null
    began_at: Date | null
    /** The clock of the rehearsal. One that was stopped goes on from it. */
    moment: Date | null
    /** Cents at the begin, by account. */
    opening: unknown
    /** Cents outstanding at the begin, by the id of each loan that pays nothing from then on. */
    defaulting: unknown
    ended_at: Date | null
  }
  /**
   * Files of repayments that take two people, as they were sent. Their SHA-256 is in the
   * proposal.
   */
  repayment_files: {
    proposal_id: string
    csv: string
    /** The moment since which each of its lines is recorded. */
    posted_at: Date | null
  }
  routines: {
    digest: string
    objects: unknown
  }
  /** Who received the coins of a spending, addresses of ours among them. */
  sent_coins: {
    spending_id: string
    /** As payments.output counts. */
    output: number
    /** NULL for an output that no address has, such as data. */
    address: string | null
    asset: string
    units: string
    decimals: number
  }
  /** Sessions of signed-in users. Deleted when they end. */
  sessions: {
    /** SHA-256 of the token. The token is not stored, so reading this table gives no access. */
    token_hash: Buffer
    user_id: string
    created_at: Generated<Date>
    /** Written every 30 seconds of use. Has no index, so that the row is rewritten on its page. */
    last_used_at: Generated<Date>
    /** The last proof of a second factor in this session. */
    factor_at: Date | null
    /** Its public name. The hash of the token is not sent. */
    id: Generated<string>
    /** The IP address of the sign-in. Empty where none is known. */
    ip: Generated<string>
    /** As the browser named itself, cut at 200 characters. */
    user_agent: Generated<string>
    /** Signs token, user and start by the key file (server/base/sessions). */
    mac: string
    /** Signs the proof at factor_at in the same way. */
    factor_mac: string | null
  }
  /**
   * Public keys of the pool. The key file has the private ones, and decides which of these count.
   */
  signing_keys: {
    id: string
    /** Ed25519, 32 bytes in base64url. */
    public_key: string
    published_at: Generated<Date>
  }
  /**
   * Transactions that spend coins of addresses of ours, as the node tells it. Lives as a payment
   * does.
   */
  spendings: {
    id: string
    network_name: string
    transaction_id: string
    state: 'SEEN' | 'CONFIRMED' | 'REPLACED' | 'DROPPED' | 'REVERSED'
    height: bigint | null
    block_hash: string | null
    seen_at: Generated<Date>
    changed_at: Generated<Date>
    confirmed_at: Date | null
    /** What our addresses paid to the network. 0 where others paid it. */
    fee_units: string
    fee_asset: string
    /**
     * The batch that explains it. NULL for a move between addresses of ours, or where nothing does.
     */
    batch_id: string | null
    settled_at: Date | null
    settled_by: string | null
    /** The words of the member of staff who settled one that nothing explains. */
    reason: string | null
    /**
     * The outputs that the transaction spends, or on EVM networks its sender and nonce. No other
     * one spends them.
     */
    inputs: Generated<string[]>
    /** The proposal by which two super admins settled it. */
    settlement_id: string | null
  }
  /** Coins that left an address of ours, without the network's fee on EVM networks. */
  spent_coins: {
    spending_id: string
    /** The number of the input on Bitcoin, else as payments.output counts. */
    position: number
    address: string
    asset: string
    units: string
    decimals: number
    /** Bitcoin: the output that was spent, as TRANSACTION:NUMBER. Else NULL. */
    input: string | null
  }
  /** Numbers of rows and their sums. Changed in the transaction that changes the rows. */
  tallies: {
    /** A table, or decisions and maturities, which are rows by their last day. */
    noun: string
    /** In UTC. -infinity holds all days together. */
    day: Date
    /** A type, network or action, or the days of an investment. Empty where rows have none. */
    kind: string
    /** Empty where rows have none. */
    status: string
    /**
     * Concurrent transactions write to different slots, so that none waits. A tally sums its slots.
     */
    slot: number
    rows: bigint
    /** The sum of amounts, or of principals. */
    cents: bigint
    /** Cents, of investments. */
    interest: bigint
  }
  /**
   * Requests and receipts of an investor. PENDING, then decided once. An approved withdrawal is
   * then sent and completed, or given back. An investment is one row: ACTIVE, then COMPLETED
   * once.
   */
  transactions: {
    id: InSql<string>
    /**
     * Has no foreign key (docs/decisions/023). The trigger transactions_begin_whole checks all new
     * owners at once.
     */
    user_id: InSql<string>
    type: InSql<
      'deposit' | 'withdrawal' | 'investment' | 'payout' | 'reversal' | 'loss' | 'recovery'
    >
    /** Cents. Of an investment, the principal. Of a confirmed deposit, what was received. */
    amount: InSql<bigint>
    status: InSql<
      | 'PENDING'
      | 'APPROVED'
      | 'REJECTED'
      | 'COMPLETED'
      | 'PROCESSING'
      | 'EXPIRED'
      | 'REVERSED'
      | 'RETURNED'
    >
    description: InSql<string>
    /** Deposit: the wallet that receives it. */
    wallet_id: InSql<string | null>
    /** Withdrawal: the text that the investor wrote. */
    destination_address: InSql<string>
    /** Payout: the investment, of the same owner (trigger transactions_begin_whole). */
    investment_id: InSql<string | null>
    /** The reason of a rejection, or of a withdrawal given back, else empty. */
    reason: InSql<string>
    /** NULL while pending, and after an expiry. */
    decided_by: InSql<string | null>
    created_at: InSql<Date>
    /** The moment of the decision, or of the maturity of an investment, once there is one. */
    updated_at: InSql<Date>
    /**
     * Withdrawal: the network that the investor named, else the only one that the address fits,
     * else empty.
     */
    destination_network: InSql<string>
    /** Number of people who must decide. Becomes 2 when a limit demands it. */
    approvals_needed: InSql<number>
    /** The network of the evidence. */
    evidence_network: InSql<string | null>
    /** On-chain transaction that the confirmation of a deposit rests on. */
    evidence: InSql<string | null>
    /** The address that a withdrawal was approved for, else NULL. */
    payee_address: InSql<string | null>
    /** Interest for the whole duration, in hundredths of a percent of the principal. */
    rate_basis_points: InSql<number | null>
    /** Cents, set aside in the reserve when the investment was opened. */
    interest: InSql<bigint | null>
    duration_days: InSql<number | null>
    matures_at: InSql<Date | null>
    /** ACTIVE or COMPLETED. The status of an opened investment is COMPLETED as a transaction. */
    investment_status: InSql<'ACTIVE' | 'COMPLETED' | null>
    /** Withdrawal: the moment it was marked as sent. */
    sent_at: InSql<Date | null>
    sent_by: InSql<string | null>
    /** The network that it was sent on. */
    sent_network: InSql<string | null>
    /**
     * The transaction on the chain that paid it. One such transaction may pay several addresses.
     */
    sent_evidence: InSql<string | null>
    /** Withdrawal: the moment it was marked as completed. */
    completed_at: InSql<Date | null>
    completed_by: InSql<string | null>
    /** Deposit: the cents that were asked for, where another amount was received. Else NULL. */
    requested_amount: InSql<bigint | null>
    /**
     * How a request ended: staff decided, its owner cancelled it, it expired, or the product
     * decided by itself. NULL while pending, and for investments and payouts.
     */
    ending: InSql<'decided' | 'cancelled' | 'expired' | 'automatic' | null>
    /** What a decision of the product rests on, in words. NULL for every other ending. */
    basis: InSql<string | null>
    /**
     * The number of the output that paid the deposit, where staff named it. NULL is what the wallet
     * was paid.
     */
    evidence_output: InSql<number | null>
    /** The number of the output that paid the withdrawal, where staff named it. */
    sent_output: InSql<number | null>
    /** True for a deposit that the product opened, since its payment had no request. */
    unannounced: InSql<boolean>
    /** Reversal: the claim that it pays, of the same owner (trigger transactions_begin_whole). */
    claim_id: InSql<string | null>
    /** Withdrawal: the moment it was given back. */
    returned_at: InSql<Date | null>
    /**
     * Withdrawal: the proposal of two people that gave it back (trigger withdrawals_return_by_two).
     */
    return_id: InSql<string | null>
    /**
     * Withdrawal: what the chain showed when the product marked it as sent. NULL where staff did.
     */
    sent_basis: InSql<string | null>
    /** Withdrawal: what the chain showed when the product completed it. NULL where staff did. */
    completed_basis: InSql<string | null>
    /** Investment: the version of its plan. */
    plan_id: InSql<string | null>
    /** Investment: cents of its principal that shared losses took. The rest is paid at maturity. */
    borne: InSql<bigint>
    /** Loss or recovery: the shared loss of which it is a part. */
    sharing_id: InSql<string | null>
    /** Recovery: what came back of the loan, of which it is a part. */
    repayment_id: InSql<string | null>
    /**
     * Withdrawals: cents of the network's fee that the investor bears beside the amount. It comes
     * back with the amount.
     */
    fee: InSql<bigint>
  }
  transfers: {
    reference_id: InSql<string>
    movement: InSql<string>
    place: InSql<number>
    from_account_id: InSql<bigint>
    to_account_id: InSql<bigint>
    amount: InSql<bigint>
    created_at: InSql<Date>
  }
  /**
   * Coins by which the balance of an address grew beyond its payments. At least that much
   * arrived.
   */
  unseen_arrivals: {
    id: string
    network_name: string
    address: string
    asset: string
    units: string
    decimals: number
    /** They arrived above this block, and up to height. */
    above: bigint
    height: bigint
    found_at: Generated<Date>
    settled_at: Date | null
    settled_by: string | null
    /** The words of the member of staff who settled it. */
    reason: string | null
  }
  /** Challenges that a passkey has signed. Unused ones are stored nowhere. */
  used_challenges: {
    digest: Buffer
    expires_at: Date
  }
  /** Roles of users. A revoked role is deleted. */
  user_roles: {
    user_id: string
    role: 'USER' | 'ADMIN' | 'AUDITOR' | 'SUPER_ADMIN'
    granted_at: Generated<Date>
    /**
     * The only super admin, who gave this role of staff alone. NULL when two people or the operator
     * did.
     */
    alone_by: string | null
  }
  /**
   * People who can sign in, and closed accounts without personal data. Rows stay and keep their
   * ids.
   */
  users: {
    id: string
    /** The email address, in lower case. Of a closed account, closed- and its id. */
    username: string
    /** Argon2id, in the PHC format. */
    password_hash: string
    first_name: string
    last_name: string
    /** Two letters, as registration sent them. */
    country: string
    created_at: Generated<Date>
    updated_at: Generated<Date>
    /** Moment of the suspension. NULL when the user may sign in. */
    suspended_at: Date | null
    /**
     * No withdrawal can be requested before. Set when a mailed link replaced the password or the
     * email, and when lost second factors were reset.
     */
    withdrawals_rest_until: Date | null
    /** Moment at which the owner froze the account by a mailed link. NULL when it is not frozen. */
    frozen_at: Date | null
    /**
     * Moment of the mail with that link. Only factors and recovery codes from before it lift the
     * freeze, and those from after it go then.
     */
    frozen_since: Date | null
    /** Moment at which the user proved to read the mails of this address. NULL before. */
    email_confirmed_at: Date | null
    /** Moment at which the owner closed the account, for good. NULL before. */
    closed_at: Date | null
    /**
     * Moment at which the owner last took the account back (server/recovery). Staff see a flag on
     * withdrawals of before. NULL before the first.
     */
    taken_back_at: Date | null
  }
  /** New assignments of wallets, counted by the limits. Kept for a day, without owners. */
  wallet_assignments: {
    /** Digest of the requesting range of IP addresses. */
    source: Buffer
    assigned_at: Date
  }
  /** Addresses that investors send deposits to. */
  wallets: {
    id: string
    address: string
    network_name: string
    /**
     * The investor that it is assigned to, for good. NULL when available. All wallets of an address
     * have one owner (trigger unite_owners).
     */
    owner_id: string | null
    created_at: Generated<Date>
    updated_at: Generated<Date>
    /**
     * The moment when its investor got it, or chose it after another. The latest is the default.
     */
    used_at: Date | null
    /**
     * The moment when staff archived its address, which takes no new deposits. NULL when in use.
     */
    archived_at: Date | null
    /** The proposal that must be approved before the address is given out. NULL once it is. */
    proposal_id: string | null
    /** The key that its address is derived from. NULL if staff named it. */
    key_id: string | null
    derivation_index: number | null
  }
  /**
   * The pool winds down since this row, by a proposal of two super admins, until two call it off.
   */
  wind_downs: {
    id: string
    /** The moment at which the last investment matures, as no new one is opened. */
    last_maturity_at: Date
    /** The moment at which all mails of it were queued. */
    mailed_at: Date | null
    /** The proposal of two super admins that called it off. */
    called_off_id: string | null
    called_off_at: Date | null
    created_at: Generated<Date>
  }
  /** Claims that the reserve paid, each by a proposal of two people. */
  write_offs: {
    id: string
    claim_id: string
    /** Cents. */
    amount: bigint
    created_at: Generated<Date>
  }
}
