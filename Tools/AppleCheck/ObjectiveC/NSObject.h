// What NSObject.swift declares, as a root class, which Swift itself cannot declare.

@protocol NSObject
- (_Bool)respondsToSelector:(SEL)aSelector;
@end

__attribute__((objc_root_class)) @interface NSObject <NSObject>
- (instancetype)init;
- (id)forwardingTargetForSelector:(SEL)aSelector;
- (id)copy;
@end
