-- Stored texts that others read lose what their inputs now remove: characters that are invisible or change the direction of the text.
do $$
declare
  unseen constant text :=
    '[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]';
  at record;
begin
  for at in
    select * from (values
      ('artists', 'bio'), ('artist_media', 'alt'), ('artist_media', 'caption'),
      ('bookings', 'special_requests'), ('bookings', 'cancel_note'), ('holds', 'note'),
      ('force_majeure_proposals', 'reason'), ('no_show_reports', 'note'), ('no_show_reports', 'statement'),
      ('no_show_reports', 'decision'), ('reviews', 'body'), ('reviews', 'hidden_reason'), ('review_replies', 'body')
    ) as texts (relation, field)
  loop
    execute format(
      'update %1$I set %2$I = regexp_replace(%2$I, $1, '''', ''g'')
        where %2$I ~ $1 and regexp_replace(%2$I, $1, '''', ''g'') <> ''''',
      at.relation, at.field) using unseen;
  end loop;
end $$;
