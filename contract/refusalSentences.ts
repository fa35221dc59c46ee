/** The long sentences of contract/refusals.ts. */
export const sentences = {
  resetLinkInvalid:
    'This link was used already, or is older than 30 minutes. Please ask for a new one.',
  freezeLinkInvalid:
    'This link was used already, or is older than 7 days. Please choose a new password, which signs every device out.',
  accountFrozen:
    'Your account is frozen. To lift that, sign in with your second factor. Without one, choose a new password: "Forgot your password?" on the sign-in page.',
  emailLinkInvalid:
    'This link was used already, was replaced by a newer one, or is older than 24 hours. Please ask for a new one on the Security page.',
  emailTakenMeanwhile:
    'Another account has this email address by now. Your account keeps its old one.',
  emailUnconfirmed:
    'Please confirm your email address before you withdraw. Open the link in our mail, or ask for a new one on the Security page.',
  ownTransaction: 'You cannot decide about your own transaction. Another admin must do it.',
  ownerFrozen:
    'The owner of this account has frozen it, because somebody else may have signed in. The withdrawal can be approved once the owner has lifted that, or rejected now.',
  destinationUnresolved:
    'This withdrawal has no address to pay to: its destination is no valid address, and no payout address is in use. Nothing was paid.',
  networkUnknown:
    'This withdrawal names no network, and its address is valid on several. Please reject it, so that the investor can name one.',
  payeeIsPoolWallet:
    'This withdrawal would be paid to a deposit wallet of the pool. Please reject it, so that the investor can name another address.',
  inviteOpen:
    'This address has an open invite. Please withdraw it first, or wait until it runs out.',
  inviteInvalid: 'This invite was used or withdrawn, or has run out. Please ask for another one.',
  walletAssigned:
    'This wallet is assigned to an investor who may still pay to it, so it cannot be deleted.',
  evidenceRequired:
    'A deposit is confirmed only with its on-chain transaction. Please give its id.',
  evidenceDiffers:
    'The first approver gave another on-chain transaction. Check which one paid this deposit.',
} as const
