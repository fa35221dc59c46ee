-- Posting decides in the server, so SQL needs no types for its operations.
DROP TYPE operation;
DROP TYPE operation_leg, operation_transaction, operation_investment, operation_contribution, operation_decision;
DROP TYPE operation_wallet_pace;
