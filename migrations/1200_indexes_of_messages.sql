-- messages_newest (0007) and messages_ref (0100) find the same rows, and every message writes each index.
drop index messages_by_age;
drop index messages_by_reference;
