//! What can be asked about accounts: [`Accounts`].

use crate::StoreError;
use people::{Account, AuditEntry, Handle, Holder, Passkey, PasswordHash, SecretHash, Session, Settings, Token};
use table::PersonId;

/// Who is who. What happens to accounts is written as [`room::Write::Account`].
#[async_trait::async_trait]
pub trait Accounts {
    /// Whose secret has this hash: a guest's, a session's or a token's. Whether the session is over or the account suspended is for
    /// whoever knows the time.
    async fn holder(&self, secret: &SecretHash) -> Result<Option<Holder>, StoreError>;

    /// Whether anything is kept of who has this number: they are a guest, or have an account.
    async fn is_someone(&self, who: PersonId) -> Result<bool, StoreError>;

    /// The account of a person.
    async fn account(&self, who: PersonId) -> Result<Option<Account>, StoreError>;

    /// The account of this name, however it is written.
    async fn account_named(&self, handle: &Handle) -> Result<Option<Account>, StoreError>;

    /// At most `most` accounts with `part` in their name, in the order of their names.
    async fn accounts(&self, part: &str, most: usize) -> Result<Vec<Account>, StoreError>;

    /// What is kept of a person's password, if they have one.
    async fn password(&self, who: PersonId) -> Result<Option<PasswordHash>, StoreError>;

    /// The codes that are good for someone who forgot their password.
    async fn recovery_codes(&self, who: PersonId) -> Result<Vec<SecretHash>, StoreError>;

    /// The sessions of a person, the one used last first.
    async fn sessions(&self, who: PersonId) -> Result<Vec<Session>, StoreError>;

    /// The tokens of a person, the latest first.
    async fn tokens(&self, who: PersonId) -> Result<Vec<Token>, StoreError>;

    /// The passkey that a device calls so.
    async fn passkey(&self, credential: &[u8]) -> Result<Option<Passkey>, StoreError>;

    /// The passkeys of a person, the latest first.
    async fn passkeys(&self, who: PersonId) -> Result<Vec<Passkey>, StoreError>;

    /// What the owner has decided.
    async fn settings(&self) -> Result<Settings, StoreError>;

    /// At most `most` of the things that administrators did, the latest first, from the one before number `before` on.
    async fn audit(&self, before: Option<u64>, most: usize) -> Result<Vec<AuditEntry>, StoreError>;
}
